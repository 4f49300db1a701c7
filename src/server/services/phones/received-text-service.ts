import type { Account } from '../../../domain/account/account.js'
import { block } from '../../../domain/message/claim.js'
import { type Words, wordOf } from '../../../domain/phone/opt-out-keywords.js'
import { type Received, receive } from '../../../domain/phone/received-text.js'
import { canonicalNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'
import { digest } from '../../../util/crypto/secrets.js'
import type { ServiceContext } from '../service-context.js'

/** A text that reached a phone. */
export interface ReceivedDraft {
  readonly from: string
  readonly text: string
  /** Milliseconds since the epoch. @default now */
  readonly receivedAt?: number | undefined
  /** Name of the phone. */
  readonly phone?: string | undefined
}

/** Texts that reached phones: kept, obeyed where they are a word for that, and told of otherwise (README: received texts). */
export class ReceivedService {
  readonly #context: ServiceContext
  readonly #words: Words

  constructor(context: ServiceContext, words: Words) {
    this.#context = context
    this.#words = words
  }

  /**
   * Takes a text in; with an idempotency key the same request again gives the first result for as long as the text is
   * kept. Throws `invalid_request` for a key used for another text.
   */
  async accept(account: Account, draft: ReceivedDraft, key?: string): Promise<Received> {
    const now = this.#context.now()
    const received = this.#compose(account, draft, key, now)
    return await this.#context.store.received.add(
      received,
      listed => receive(received, listed),
      message => block(message, now),
    )
  }

  /** A page of the account's received texts, the newest first. */
  async list(account: Account, count: number, before?: string): Promise<Received[]> {
    return await this.#context.store.received.list({ account: account.id, count, before })
  }

  /** One text. Throws `not_found`. */
  async get(account: Account, id: string): Promise<Received> {
    const received = await this.#context.store.received.get(id)
    if (received?.account === account.id) return received
    throw new RelayError(
      'not_found',
      `There is no received text ${id}; list them to see their ids.`,
    )
  }

  #compose(account: Account, draft: ReceivedDraft, key: string | undefined, now: number): Received {
    const { from, text, receivedAt = now, phone } = draft
    const number = canonicalNumber(from, account.country)
    const word = wordOf(text, this.#words)
    return {
      id: this.#context.newId(),
      account: account.id,
      from,
      ...(number === undefined ? {} : { number }),
      text,
      receivedAt,
      createdAt: now,
      ...(phone === undefined ? {} : { phone }),
      ...(word === undefined ? {} : { word }),
      ...(key === undefined ? {} : { once: { key, digest: digestOf(draft) } }),
    }
  }
}

function digestOf({ from, text, receivedAt, phone }: ReceivedDraft): string {
  return digest(JSON.stringify([from, text, receivedAt ?? null, phone ?? null]))
}
