import type { Account } from '../../../domain/account/account.js'
import { addUses, countUses, removeUses } from '../../../domain/account/usage-limit.js'
import { blockListedMessage } from '../../../domain/message/claim.js'
import { messageFilters } from '../../../domain/message/message-filter.js'
import { findKeyword, type OptOutKeywords } from '../../../domain/phone/opt-out-keywords.js'
import type { ReceivedSelection } from '../../../domain/phone/received-mms.js'
import { decideReceivedText, type ReceivedText } from '../../../domain/phone/received-text.js'
import { findNumberWarning, readNumber } from '../../../domain/sms/phone-number.js'
import { rateUnits } from '../../../domain/time/rate.js'
import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { addReceivedText } from '../../store/do-not-text.js'
import type { ServiceContext } from '../service-context.js'

/** Automatic replies of an account in a day, or its own limit of messages if that is lower. */
const maxDailyReplies = 1000

export interface ReceivedTextDraft {
  readonly kind?: 'text' | 'mms' | undefined
  readonly subject?: string | undefined
  readonly size?: number | undefined
  readonly media?: readonly string[] | undefined
  readonly line?: string | undefined
  readonly from: string
  readonly text: string
  readonly receivedAt?: number | undefined
  readonly phone?: string | undefined
  readonly to?: string | undefined
  readonly driver?: string | undefined
}

/**
 * Texts that phones received: stores them, obeys opt-out keywords, answers with the account's
 * texts, and records an event for other texts.
 */
export class ReceivedTextService {
  readonly #context: ServiceContext
  #keywords: OptOutKeywords

  constructor(context: ServiceContext, keywords: OptOutKeywords) {
    this.#context = context
    this.#keywords = keywords
  }

  setKeywords(keywords: OptOutKeywords): void {
    this.#keywords = keywords
  }

  /**
   * Accepts a received text. A repeated request with the same idempotency key gets the first result
   * for as long as the text is stored. Throws `invalid_request` for a key that was used for another
   * text.
   * @param isFromPhone whether a phone reports the text: others could have any number answered
   */
  async accept(
    account: Account,
    draft: ReceivedTextDraft,
    key?: string,
    isFromPhone = true,
  ): Promise<ReceivedText> {
    const now = this.#context.clock.now()
    const number = await this.#readSender(account, draft.from)
    const received = this.#compose(account, draft, key, now, number)
    const replyId = this.#context.newId()
    const { store, metrics } = this.#context
    const isReserved = isFromPhone && (await this.#reserveReply(account, received))
    const texts = isReserved ? account : {}
    const added = await addReceivedText(
      store,
      received,
      facts => decideReceivedText(received, { ...facts, replyId }, texts),
      message => blockListedMessage(message, now),
    )
    const isNew = added.id === received.id
    if (isNew) metrics.increment('received_texts_total')
    if (isReserved && !(isNew && added.reply !== undefined)) await this.#releaseReply(received)
    return added
  }

  /** Counts a possible reply to a text of the last day; false if the account has had too many. */
  async #reserveReply(account: Account, received: ReceivedText): Promise<boolean> {
    const { word, receivedAt, createdAt: now } = received
    const text = { help: account.helpText, stop: account.stopText, start: undefined }[
      word ?? 'start'
    ]
    if (text === undefined || receivedAt <= now - rateUnits.d) return false
    const uses = Math.min(maxDailyReplies, account.limits?.messagesPerDay ?? maxDailyReplies)
    let isReserved = false
    await this.#context.store.limits.change(
      'automatic reply',
      account.id,
      now + rateUnits.d,
      (recent = []) => {
        isReserved = countUses(recent, { per: 'd' }, now) < uses
        return isReserved ? addUses(recent, { per: 'd' }, now) : recent
      },
    )
    return isReserved
  }

  async #releaseReply({ account, createdAt: at }: ReceivedText): Promise<void> {
    await this.#context.store.limits.change(
      'automatic reply',
      account,
      at + rateUnits.d,
      (recent = []) => removeUses(recent, at),
    )
  }

  /** Lists the account's received texts, newest first, that are older than text `before`. */
  async list(
    { id: account }: Account,
    count: number,
    before?: string,
    selection?: ReceivedSelection,
  ): Promise<ReceivedText[]> {
    return await this.#context.store.receivedTexts.list({ account, count, before, selection })
  }

  /** Lists the account's latest received texts from a canonical number, newest first. */
  async listFrom(account: Account, number: string, count: number): Promise<ReceivedText[]> {
    return await this.#context.store.receivedTexts.list({ account: account.id, number, count })
  }

  async get(account: Account, id: string): Promise<ReceivedText> {
    const received = await this.#context.store.receivedTexts.get(id)
    if (received?.account === account.id) return received
    throw new RelayError(
      'not_found',
      `There is no received text ${id}; list the received texts to see their ids.`,
    )
  }

  /**
   * Finds the canonical number of a sender; undefined for a name. A network may leave out the `+`:
   * of several possible numbers it is the one that the account has texted, otherwise the national
   * one, unless only the other can be that of a mobile phone.
   */
  async #readSender(account: Account, from: string): Promise<string | undefined> {
    const read = readNumber(from, account.country)
    if (!('problem' in read)) return read.number
    const { readings = [] } = read
    for (const each of readings) if (await this.#hasTexted(account, each)) return each
    return readings.find(each => findNumberWarning(each) === undefined) ?? readings[0]
  }

  async #hasTexted({ id }: Account, number: string): Promise<boolean> {
    const query = {
      account: id,
      statuses: messageFilters.all,
      start: 0,
      count: 1,
      order: 'desc',
    } as const
    const { messages } = await this.#context.store.messages.search(query, { number }, 1)
    return messages.length > 0
  }

  #compose(
    account: Account,
    draft: ReceivedTextDraft,
    key: string | undefined,
    now: number,
    number: string | undefined,
  ): ReceivedText {
    const { from, text, receivedAt = now, phone, to, driver, line } = draft
    const { kind, subject, size, media = [] } = draft
    const word = findKeyword(text, this.#keywords)
    return {
      id: this.#context.newId(),
      account: account.id,
      from,
      ...(number === undefined ? {} : { number }),
      text,
      receivedAt,
      createdAt: now,
      ...(phone === undefined ? {} : { phone }),
      ...(to === undefined ? {} : { to }),
      ...(driver === undefined ? {} : { driver }),
      ...(line === undefined ? {} : { line }),
      ...(kind === 'mms' ? { kind } : {}),
      ...(subject === undefined || subject === '' ? {} : { subject }),
      ...(size === undefined ? {} : { size }),
      ...(media.length === 0 ? {} : { media }),
      ...(word === undefined ? {} : { word }),
      ...(key === undefined ? {} : { once: { key, digest: hashDraft(draft) } }),
    }
  }
}

/** Without `to`, `driver` and others, which a later version of the phone may know. */
function hashDraft({ from, text, receivedAt, phone }: ReceivedTextDraft): string {
  return hashText(JSON.stringify([from, text, receivedAt ?? null, phone ?? null]))
}
