import type { Account } from '../../../domain/account/account.js'
import {
  createMessage,
  deleteMessage,
  editMessage,
  lockMessage,
  type MessageEdit,
  undeleteMessage,
  unlockMessage,
} from '../../../domain/message/edit-message.js'
import type { Message, Source } from '../../../domain/message/message.js'
import { type MessageFilter, messageFilters } from '../../../domain/message/message-filter.js'
import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'
import { memoize } from '../../../util/collections/memoize.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type { DecideMessage, DecisionFacts, IdempotencyKey } from '../../store/message-store.js'
import { accountRemovedError } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'

/** A message to accept. */
export interface MessageDraft {
  readonly destination: string
  readonly text: string
  /** Milliseconds since the epoch. @default now */
  readonly sendAt?: number | undefined
}

/** A page of the message list. */
export interface MessagePage {
  readonly filter: MessageFilter
  readonly start: number
  readonly count: number
  readonly order: 'asc' | 'desc'
}

const idempotencyKeyLifetime = 24 * 60 * 60 * 1000
const maxRememberedNumbers = 10_000

/** What users do with messages: accept, list, read, edit, remove, lock (SPEC.md section 4.2). */
export class MessageService {
  readonly #context: ServiceContext
  /** Most texts go to few numbers, and reading a number takes longer than all else of accepting a text. */
  readonly #canonical = memoize(maxRememberedNumbers, key =>
    toCanonicalNumber(key.slice(2), key.slice(0, 2)),
  )

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /**
   * Accepts a message; with an idempotency key the same request again gives the first result for 24 hours.
   * Throws `invalid_parameter` for a number that cannot be dialled, `invalid_request` for a key used otherwise,
   * `invalid_token` when the account was removed meanwhile.
   *
   * @param admit called when it is the first such request, and nothing else keeps the message out; what it throws does
   */
  async accept(
    account: Account,
    draft: MessageDraft,
    source: Source,
    key?: string,
    admit: () => void = () => {},
  ): Promise<Message> {
    const now = this.#context.now()
    const message = this.#compose(account, draft, source, now)
    const decide: DecideMessage = (_, facts) => {
      if (facts.accountMissing === true) throw accountRemovedError()
      admit()
      return createMessage(message, facts)
    }
    const about = { account: account.id, number: message.number }
    const once =
      key === undefined ? {} : { idempotencyKey: toIdempotencyKey(account, draft, key, now) }
    const accepted = await this.#context.store.messages.change(message.id, decide, {
      ...about,
      ...once,
    })
    return accepted ?? message
  }

  /** A page of the account's messages. */
  async list(account: Account, { filter, start, count, order }: MessagePage): Promise<Message[]> {
    const statuses = messageFilters[filter]
    return await this.#context.store.messages.list({
      account: account.id,
      statuses,
      start,
      count,
      order,
    })
  }

  /** How much waits to be sent, at a time in milliseconds since the epoch. */
  async getQueueDepth(account: Account): Promise<QueueDepth & { readonly at: number }> {
    const at = this.#context.now()
    return { ...(await this.#context.store.messages.getQueueDepth(account.id, at)), at }
  }

  /** One message. Throws `not_a_message`. */
  async get(account: Account, id: string): Promise<Message> {
    return requireMessage(await this.#context.store.messages.get(id), account, id)
  }

  /** One message, also a deleted one, for who may undelete it. Throws `not_a_message`. */
  async getIncludingDeleted(account: Account, id: string): Promise<Message> {
    const message = await this.#context.store.messages.get(id)
    if (message?.account !== account.id) throw notAMessageError(id)
    return message
  }

  /** Changes a new or error message. Throws `not_a_message`, `invalid_state`, `invalid_parameter`. */
  async edit(
    account: Account,
    id: string,
    draft: Partial<MessageDraft>,
  ): Promise<Message | undefined> {
    const changes: MessageEdit = {
      ...(draft.destination === undefined ? {} : this.#dial(draft.destination, account)),
      ...(draft.text === undefined ? {} : { text: draft.text }),
      ...(draft.sendAt === undefined ? {} : { sendAt: draft.sendAt }),
    }
    const decide = (message: Message, now: number, facts: DecisionFacts) =>
      editMessage(message, changes, now, facts)
    return await this.#change(account, id, decide, changes.number)
  }

  /** Deletes a message (SPEC.md section 3). Throws `not_a_message`. */
  async remove(account: Account, id: string): Promise<void> {
    await this.#change(account, id, deleteMessage)
  }

  /** Holds a waiting message back. Throws `not_a_message`, `invalid_state`. */
  async lock(account: Account, id: string): Promise<Message | undefined> {
    return await this.#change(account, id, lockMessage)
  }

  /** Lets a locked message go on. Throws `not_a_message`, `invalid_state`. */
  async unlock(account: Account, id: string): Promise<Message | undefined> {
    return await this.#change(account, id, unlockMessage)
  }

  /** Brings a deleted message back. Throws `not_a_message`, `invalid_state`. */
  async undelete(account: Account, id: string): Promise<Message | undefined> {
    return await this.#context.store.messages.change(id, (message, facts) => {
      if (message?.account !== account.id) throw notAMessageError(id)
      return undeleteMessage(message, this.#context.now(), facts)
    })
  }

  async #change(
    account: Account,
    id: string,
    decide: (message: Message, now: number, facts: DecisionFacts) => ReturnType<DecideMessage>,
    number?: string,
  ): Promise<Message | undefined> {
    const options = number === undefined ? {} : { number }
    return await this.#context.store.messages.change(
      id,
      (message, facts) => decide(requireMessage(message, account, id), this.#context.now(), facts),
      options,
    )
  }

  #dial(destination: string, { country }: Account): { destination: string; number: string } {
    const number = this.#canonical(`${country}${destination}`)
    if (number !== undefined) return { destination, number }
    throw new RelayError(
      'invalid_parameter',
      '`destination` is not a number that can be dialled; give it in international form, such as +12025550123.',
    )
  }

  #compose(account: Account, draft: MessageDraft, source: Source, now: number): Message {
    return {
      id: this.#context.newId(),
      account: account.id,
      ...this.#dial(draft.destination, account),
      text: draft.text,
      source,
      status: 'N',
      createdAt: now,
      sendAt: draft.sendAt ?? now,
      statusAt: now,
      failures: 0,
    }
  }
}

/** The message, when it exists, is not deleted and belongs to the account. Throws `not_a_message`. */
export function requireMessage(
  message: Message | undefined,
  account: Account,
  id: string,
): Message {
  if (message?.account !== account.id || message.status === 'D') throw notAMessageError(id)
  return message
}

/** The error for a message that does not exist as far as the caller may know. */
export function notAMessageError(id: string): RelayError {
  return new RelayError(
    'not_a_message',
    `There is no message ${id}; list the messages to see their ids.`,
  )
}

function toIdempotencyKey(
  account: Account,
  draft: MessageDraft,
  key: string,
  now: number,
): IdempotencyKey {
  const same = hashText(JSON.stringify([draft.destination, draft.text, draft.sendAt ?? null]))
  return { account: account.id, key, digest: same, until: now + idempotencyKeyLifetime }
}
