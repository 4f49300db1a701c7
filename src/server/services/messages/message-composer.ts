import type { Account } from '../../../domain/account/account.js'
import { createMessage } from '../../../domain/message/edit-message.js'
import type { Message, Source } from '../../../domain/message/message.js'
import { idempotencyKeyLifetime } from '../../../domain/message/message-retention.js'
import { useGsmLetters } from '../../../domain/sms/fewer-parts.js'
import { readNumber } from '../../../domain/sms/phone-number.js'
import { deliveryTimeLimit } from '../../../domain/webhook/subscription.js'
import { RelayError } from '../../../errors.js'
import { memoize } from '../../../util/collections/memoize.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type { IdempotencyKey, MessageChangeRequest } from '../../store/message-store.js'
import { accountRemovedError } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'
import { buildCopyKey, isUnsent } from './message-copies.js'

export interface MessageDraft {
  readonly destination: string
  readonly text: string
  readonly sendAt?: number | undefined
  /** @default false */
  readonly flash?: boolean | undefined
}

export interface KeyedDraft extends MessageDraft {
  readonly key?: string | undefined
  /**
   * Message that the draft sends again. Of all drafts for it, the service accepts one; others with
   * another key, number or text fail with `invalid_request` for as long as it stores the message.
   */
  readonly again?: string | undefined
  /**
   * Whether the service fails with `precondition_failed` if the message to send again was sent or
   * still can be. @default false
   */
  readonly onlyUnsent?: boolean
}

interface MessageCreation extends MessageChangeRequest {
  readonly message: Message
}

const maxRememberedNumbers = 10_000

export class MessageComposer {
  readonly #context: ServiceContext
  /** Parsing a number is most of the work of a create, and most messages go to few numbers. */
  readonly #read = memoize(maxRememberedNumbers, key => readNumber(key.slice(2), key.slice(0, 2)))

  constructor(context: ServiceContext) {
    this.#context = context
  }

  compose(account: Account, draft: KeyedDraft, source: Source): MessageCreation {
    const message = this.#createMessage(account, draft, source)
    const idempotencyKey = this.#toIdempotencyKey(draft, message)
    const { again, onlyUnsent = false } = draft
    const decide: MessageCreation['decide'] = (_, facts) => {
      if (facts.accountMissing === true) throw accountRemovedError()
      if (onlyUnsent && facts.original !== undefined && !isUnsent(facts.original))
        throw new RelayError('precondition_failed', 'The message to send again can be sent itself.')
      return createMessage(message, facts)
    }
    const options = {
      number: message.number,
      ...(idempotencyKey && { idempotencyKey }),
      ...(again !== undefined && { original: again }),
    }
    return { account: account.id, id: message.id, message, decide, options }
  }

  toNumberFields(
    destination: string,
    { country }: Account,
  ): { destination: string; number: string } {
    const read = this.#read(`${country}${destination}`)
    if ('problem' in read) {
      const message = `\`destination\` ${destination} ${read.problem}.`
      throw new RelayError('invalid_parameter', message)
    }
    // A form without encoding turns the plus sign into a space.
    const hadPlus = /^ [1-9]/.test(destination) && read.dialled.startsWith('+')
    return { destination: hadPlus ? read.dialled : destination, number: read.number }
  }

  toText(text: string, { fewerParts }: Account): string {
    return fewerParts === true ? useGsmLetters(text) : text
  }

  #createMessage(account: Account, draft: MessageDraft, source: Source): Message {
    const now = this.#context.clock.now()
    return {
      id: this.#context.newId(),
      account: account.id,
      ...this.toNumberFields(draft.destination, account),
      text: this.toText(draft.text, account),
      source,
      status: 'N',
      createdAt: now,
      sendAt: draft.sendAt ?? now,
      statusAt: now,
      failures: 0,
      ...(draft.flash === true ? { flash: true } : {}),
    }
  }

  #toIdempotencyKey(
    { destination, text, sendAt, flash = false, key = '', again }: KeyedDraft,
    { account, createdAt }: Message,
  ): IdempotencyKey | undefined {
    const request = [destination, text, sendAt ?? null, ...(flash ? ['flash'] : [])]
    if (again !== undefined) {
      const { retain = Infinity } = this.#context
      const until = Math.min(createdAt + retain + deliveryTimeLimit, Number.MAX_SAFE_INTEGER)
      return { account, key: buildCopyKey(again), digest: toDigest([key, ...request]), until }
    }
    if (key === '') return undefined
    const until = createdAt + idempotencyKeyLifetime
    return { account, key, digest: toDigest(request), until }
  }
}

function toDigest(request: readonly unknown[]): string {
  return hashText(JSON.stringify(request))
}
