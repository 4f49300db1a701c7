// Messages and everything that creates them. Every new message goes through message-service.accept:
// it validates the number, lets src/domain/message decide, and resolves when the message and its
// events are durable.
// - message-service: what users do with messages; message-search: finds some of them
// - secret-url-service: secret URLs, and messages sent with them
// - mailbox-service: mailboxes; mail-service: messages from mail
// - do-not-text-service: the lists of numbers that get no messages
// - canonical-number: the error for numbers that cannot be dialled

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
import type { SearchWords } from '../../../domain/message/search-words.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'
import { memoize } from '../../../util/collections/memoize.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type {
  DecideMessage,
  DecisionFacts,
  FoundMessages,
  IdempotencyKey,
  MessageQuery,
} from '../../store/message-store.js'
import { accountRemovedError } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'
import { invalidNumberError } from './canonical-number.js'

export interface MessageDraft {
  readonly destination: string
  readonly text: string
  /** Milliseconds since the epoch. @default now */
  readonly sendAt?: number | undefined
}

export interface MessagePage {
  readonly filter: MessageFilter
  readonly start: number
  readonly count: number
  readonly order: 'asc' | 'desc'
}

const idempotencyKeyLifetime = 24 * 60 * 60 * 1000
const maxRememberedNumbers = 10_000

/** The service for all that users do with messages (docs/reference/interface.md 4.2). */
export class MessageService {
  readonly #context: ServiceContext
  /** Parsing a number is most of the work of a create, and most messages go to few numbers. */
  readonly #canonical = memoize(maxRememberedNumbers, key =>
    toCanonicalNumber(key.slice(2), key.slice(0, 2)),
  )

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /**
   * Accepts a message. A repeated request with the same idempotency key gets the first result for
   * 24 hours. Throws `invalid_parameter` for a number that cannot be dialled, `invalid_request` for
   * a key that was used for another message, `invalid_token` if the account was removed.
   * @param admit called for the first such request, when nothing else stops the message; an error
   * that it throws stops it
   */
  async accept(
    account: Account,
    draft: MessageDraft,
    source: Source,
    key?: string,
    admit: () => void = () => {},
  ): Promise<Message> {
    const now = this.#context.clock.now()
    const message = this.#compose(account, draft, source, now)
    const decide: DecideMessage = (_, facts) => {
      if (facts.accountMissing === true) throw accountRemovedError()
      admit()
      return createMessage(message, facts)
    }
    const accepted = await this.#context.store.messages.change(message.id, decide, {
      account: account.id,
      number: message.number,
      ...(key === undefined ? {} : { idempotencyKey: toIdempotencyKey(account, draft, key, now) }),
    })
    return accepted ?? message
  }

  async list(account: Account, page: MessagePage): Promise<Message[]> {
    return await this.#context.store.messages.list(toQuery(account, page))
  }

  /** Searches the messages of a page, in its order, until `count` are found. */
  async search(
    account: Account,
    page: MessagePage,
    words: SearchWords,
    count: number,
  ): Promise<FoundMessages> {
    return await this.#context.store.messages.search(toQuery(account, page), words, count)
  }

  /** Counts the messages of the account that wait; `at` is in milliseconds since the epoch. */
  async getQueueDepth(account: Account): Promise<QueueDepth & { readonly at: number }> {
    const at = this.#context.clock.now()
    return { ...(await this.#context.store.messages.getQueueDepth(account.id, at)), at }
  }

  /** Gets a message of the account. Throws `not_a_message`. */
  async get(account: Account, id: string): Promise<Message> {
    return requireMessage(await this.#context.store.messages.get(id), account, id)
  }

  /** Gets a message like {@link get}, also a deleted one, for undelete. */
  async getIncludingDeleted(account: Account, id: string): Promise<Message> {
    const message = await this.#context.store.messages.get(id)
    if (message?.account !== account.id) throw notAMessageError(id)
    return message
  }

  /**
   * Edits a new or error message. Throws `not_a_message`, `invalid_state` and
   * `invalid_parameter`.
   */
  async edit(
    account: Account,
    id: string,
    draft: Partial<MessageDraft>,
  ): Promise<Message | undefined> {
    const changes: MessageEdit = {
      ...(draft.destination === undefined ? {} : this.#toNumberFields(draft.destination, account)),
      ...(draft.text === undefined ? {} : { text: draft.text }),
      ...(draft.sendAt === undefined ? {} : { sendAt: draft.sendAt }),
    }
    const decide = (message: Message, now: number, facts: DecisionFacts) =>
      editMessage(message, changes, now, facts)
    return await this.#change(account, id, decide, changes.number)
  }

  /** Deletes a message (docs/reference/interface.md 3). Throws `not_a_message`. */
  async remove(account: Account, id: string): Promise<void> {
    await this.#change(account, id, deleteMessage)
  }

  /** Locks a waiting message, so that it is not sent. Throws `not_a_message`, `invalid_state`. */
  async lock(account: Account, id: string): Promise<Message | undefined> {
    return await this.#change(account, id, lockMessage)
  }

  /** Unlocks a message. Throws `not_a_message`, `invalid_state`. */
  async unlock(account: Account, id: string): Promise<Message | undefined> {
    return await this.#change(account, id, unlockMessage)
  }

  /** Restores a deleted message. Throws `not_a_message`, `invalid_state`. */
  async undelete(account: Account, id: string): Promise<Message | undefined> {
    return await this.#context.store.messages.change(id, (message, facts) => {
      if (message?.account !== account.id) throw notAMessageError(id)
      return undeleteMessage(message, this.#context.clock.now(), facts, account.mode)
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
      (message, facts) =>
        decide(requireMessage(message, account, id), this.#context.clock.now(), facts),
      options,
    )
  }

  #toNumberFields(
    destination: string,
    { country }: Account,
  ): { destination: string; number: string } {
    const number = this.#canonical(`${country}${destination}`)
    if (number === undefined) throw invalidNumberError(destination, '`destination`')
    return { destination, number }
  }

  #compose(account: Account, draft: MessageDraft, source: Source, now: number): Message {
    return {
      id: this.#context.newId(),
      account: account.id,
      ...this.#toNumberFields(draft.destination, account),
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

/**
 * Returns the message if it exists, is not deleted and belongs to the account. Throws
 * `not_a_message`.
 */
export function requireMessage(
  message: Message | undefined,
  account: Account,
  id: string,
): Message {
  if (message?.account !== account.id || message.status === 'D') throw notAMessageError(id)
  return message
}

function toQuery(account: Account, { filter, start, count, order }: MessagePage): MessageQuery {
  return { account: account.id, statuses: messageFilters[filter], start, count, order }
}

function notAMessageError(id: string): RelayError {
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
  const digest = hashText(JSON.stringify([draft.destination, draft.text, draft.sendAt ?? null]))
  return { account: account.id, key, digest, until: now + idempotencyKeyLifetime }
}
