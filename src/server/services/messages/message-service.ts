// Messages and everything that creates them. Every new message goes through message-service.accept:
// it validates the number, lets src/domain/message decide, and resolves when the message and its
// events are durable.
// - message-service: what users do with messages; message-search: finds some of them;
//   message-list-service: counts and lists many; message-bulk-service: does one thing with many
// - secret-url-service: secret URLs, and messages sent with them
// - mailbox-service: mailboxes; mail-service: messages from mail
// - do-not-text-service: the lists of numbers that get no messages
// - message-composer: makes messages of drafts; require-message: the error for missing ones
// - canonical-number: the error for numbers that cannot be dialled

import type { Account } from '../../../domain/account/account.js'
import {
  deleteMessage,
  editMessage,
  lockMessage,
  type MessageEdit,
  retryMessage,
  undeleteMessage,
  unlockMessage,
} from '../../../domain/message/edit-message.js'
import { type Message, type Source, sources } from '../../../domain/message/message.js'
import type { BatchResult } from '../../../domain/message/message-batch.js'
import type { MessageCriteria } from '../../../domain/message/message-criteria.js'
import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import { TurnPacer } from '../../../util/async/turn-pacer.js'
import type {
  DecideMessage,
  DecisionFacts,
  FoundMessages,
  MessageChangeRequest,
} from '../../store/message-store.js'
import type { ServiceContext } from '../service-context.js'
import { type KeyedDraft, MessageComposer, type MessageDraft } from './message-composer.js'
import { type MessagePage, toQuery } from './message-page-query.js'
import { notAMessageError, requireMessage } from './require-message.js'

/** Checks the current message in the change of a service; nothing changes if it throws. */
export type MessagePrecondition = (current: Message) => void

interface ChangeOptions {
  readonly precondition: MessagePrecondition | undefined
  readonly number?: string | undefined
}

const acceptedNames = Object.fromEntries(
  sources.map(source => [source, `messages_accepted_total{source="${source}"}`]),
) as Readonly<Record<Source, string>>

/** Drafts of which the service makes messages in one turn of the event loop. */
const draftsPerPiece = 250

/** The service for all that users do with messages (docs/reference/interface.md 4.2). */
export class MessageService {
  readonly #context: ServiceContext
  readonly #composer: MessageComposer
  readonly #pacer = new TurnPacer(1)

  constructor(context: ServiceContext) {
    this.#context = context
    this.#composer = new MessageComposer(context)
  }

  /**
   * Accepts a message. A repeated request with the same idempotency key gets the first result for
   * 24 hours. Throws `invalid_parameter` for a number that cannot be dialled, `invalid_request` for
   * a key that was used for another message, `invalid_token` if the account was removed.
   */
  async accept(
    account: Account,
    draft: MessageDraft,
    source: Source,
    key?: string,
  ): Promise<Message> {
    const request = this.#composer.compose(account, { ...draft, key }, source)
    const { id, decide, options } = request
    const { messages } = this.#context.store
    const accepted = await messages.change(account.id, id, decide, options)
    if (accepted === undefined || accepted.id === id) this.#countAccepted(source, 1)
    return accepted ?? request.message
  }

  /**
   * Accepts messages like {@link accept}, in order and in one commit. The error of one has no
   * effect on the others.
   */
  async acceptAll(
    account: Account,
    drafts: readonly KeyedDraft[],
    source: Source,
  ): Promise<BatchResult[]> {
    const changes = await this.#pacer.map(drafts, draftsPerPiece, draft =>
      this.#tryToCompose(account, draft, source),
    )
    if (drafts.length > draftsPerPiece) await this.#pacer.take()
    const results = await this.#context.store.messages.changeAll(changes)
    const isNew = ({ message }: BatchResult, at: number): boolean => message?.id === changes[at]?.id
    this.#countAccepted(source, results.filter(isNew).length)
    return results
  }

  /**
   * Finds the first result of the request that {@link acceptAll} would repeat. Throws
   * `invalid_parameter` and `invalid_request` as {@link accept} does.
   */
  async findResult(account: Account, draft: KeyedDraft): Promise<Message | undefined> {
    const { options } = this.#composer.compose(account, draft, 'url')
    const key = options?.idempotencyKey
    return key && (await this.#context.store.messages.findResult(key))
  }

  async list(account: Account, page: MessagePage): Promise<Message[]> {
    return await this.#context.store.messages.list(toQuery(account, page))
  }

  /** The service's search among the messages of a page, in its order, until `count` are found. */
  async search(
    account: Account,
    page: MessagePage,
    criteria: MessageCriteria,
    count: number,
  ): Promise<FoundMessages> {
    return await this.#context.store.messages.search(toQuery(account, page), criteria, count)
  }

  /** Counts the messages of the account that wait; `at` is in milliseconds since the epoch. */
  async getQueueDepth(account: Account): Promise<QueueDepth & { readonly at: number }> {
    const at = this.#context.clock.now()
    return { ...(await this.#context.store.messages.getQueueDepth(account.id, at)), at }
  }

  /** Gets a message of the account. Throws `not_a_message`. */
  async get(account: Account, id: string): Promise<Message> {
    return requireMessage(await this.#context.store.messages.get(account.id, id), id)
  }

  /** Gets a message like {@link get}, also a deleted one, for undelete. */
  async getIncludingDeleted(account: Account, id: string): Promise<Message> {
    const message = await this.#context.store.messages.get(account.id, id)
    if (message === undefined) throw notAMessageError(id)
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
    precondition?: MessagePrecondition,
  ): Promise<Message | undefined> {
    const changes: MessageEdit = {
      ...(draft.destination === undefined
        ? {}
        : this.#composer.toNumberFields(draft.destination, account)),
      ...(draft.text === undefined ? {} : { text: draft.text }),
      ...(draft.sendAt === undefined ? {} : { sendAt: draft.sendAt }),
    }
    const decide = (message: Message, now: number, facts: DecisionFacts) =>
      editMessage(message, changes, now, facts)
    return await this.#change(account, id, decide, { precondition, number: changes.number })
  }

  /** Deletes a message (docs/reference/interface.md 3). Throws `not_a_message`. */
  async remove(account: Account, id: string, precondition?: MessagePrecondition): Promise<void> {
    await this.#change(account, id, deleteMessage, { precondition })
  }

  /** Locks a waiting message, so that it is not sent. Throws `not_a_message`, `invalid_state`. */
  async lock(
    account: Account,
    id: string,
    precondition?: MessagePrecondition,
  ): Promise<Message | undefined> {
    return await this.#change(account, id, lockMessage, { precondition })
  }

  /** Unlocks a message. Throws `not_a_message`, `invalid_state`. */
  async unlock(
    account: Account,
    id: string,
    precondition?: MessagePrecondition,
  ): Promise<Message | undefined> {
    return await this.#change(account, id, unlockMessage, { precondition })
  }

  /** Skips the delay of a message in error. Throws `not_a_message`, `invalid_state`. */
  async retry(
    account: Account,
    id: string,
    precondition?: MessagePrecondition,
  ): Promise<Message | undefined> {
    return await this.#change(account, id, retryMessage, { precondition })
  }

  /** Restores a deleted message. Throws `not_a_message`, `invalid_state`. */
  async undelete(
    account: Account,
    id: string,
    precondition?: MessagePrecondition,
  ): Promise<Message | undefined> {
    return await this.#context.store.messages.change(account.id, id, (message, facts) => {
      if (message === undefined) throw notAMessageError(id)
      const restored = undeleteMessage(message, this.#context.clock.now(), facts, account.mode)
      precondition?.(message)
      return restored
    })
  }

  #countAccepted(source: Source, by: number): void {
    this.#context.metrics.increment(acceptedNames[source], by)
  }

  /** A message that cannot be created becomes a change that fails. */
  #tryToCompose(account: Account, draft: KeyedDraft, source: Source): MessageChangeRequest {
    try {
      return this.#composer.compose(account, draft, source)
    } catch (error) {
      const decide = (): never => {
        throw error
      }
      return { account: account.id, id: '', decide }
    }
  }

  async #change(
    account: Account,
    id: string,
    decide: (message: Message, now: number, facts: DecisionFacts) => ReturnType<DecideMessage>,
    { precondition, number }: ChangeOptions,
  ): Promise<Message | undefined> {
    return await this.#context.store.messages.change(
      account.id,
      id,
      (found, facts) => {
        const message = requireMessage(found, id)
        const decided = decide(message, this.#context.clock.now(), facts)
        // Errors that the request has anyway come before it (RFC 9110 section 13.2.1).
        precondition?.(message)
        return decided
      },
      number === undefined ? {} : { number },
    )
  }
}
