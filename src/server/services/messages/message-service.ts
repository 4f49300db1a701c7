// Messages and everything that creates them. Every new message goes through message-acceptance:
// it checks the number and the limits of the account, lets src/domain/message decide, and resolves
// when the message and its events are durable.
// - message-service: what users do with messages; message-acceptance: creates them;
//   message-copies: finds what sends a message again; message-search: finds some of them;
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
import type { Message, Source } from '../../../domain/message/message.js'
import type { BatchResult } from '../../../domain/message/message-batch.js'
import type { MessageCriteria } from '../../../domain/message/message-criteria.js'
import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import type {
  DecideMessage,
  DecisionFacts,
  FoundMessages,
  SearchSizes,
} from '../../store/message-store.js'
import type { ServiceContext } from '../service-context.js'
import { MessageAcceptance } from './message-acceptance.js'
import { type KeyedDraft, MessageComposer, type MessageDraft } from './message-composer.js'
import { buildCopyKey, findLatestCopies, type MessageCopy } from './message-copies.js'
import { type MessagePage, toQuery } from './message-page-query.js'
import { notAMessageError, requireMessage } from './require-message.js'

export type MessagePrecondition = (current: Message) => void

interface ChangeOptions {
  readonly precondition: MessagePrecondition | undefined
  readonly number?: string | undefined
}

export class MessageService {
  readonly #context: ServiceContext
  readonly #composer: MessageComposer
  readonly #acceptance: MessageAcceptance

  constructor(context: ServiceContext) {
    this.#context = context
    this.#composer = new MessageComposer(context)
    this.#acceptance = new MessageAcceptance(context, this.#composer)
  }

  /**
   * Accepts a message. A repeated request with the same idempotency key gets the first result for
   * 24 hours. Throws `invalid_parameter` for a number that cannot be dialled, `invalid_request` for
   * a key that was used for another message, `too_many_requests` if a limit of the account does not
   * allow it, `invalid_token` if the account was removed.
   */
  async accept(
    account: Account,
    draft: MessageDraft,
    source: Source,
    key?: string,
  ): Promise<Message> {
    return await this.#acceptance.accept(account, { ...draft, key }, source)
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
    return await this.#acceptance.acceptAll(account, drafts, source)
  }

  async findResult(account: Account, draft: KeyedDraft): Promise<Message | undefined> {
    return await this.#acceptance.findResult(account, draft)
  }

  async findCopies(account: Account, ids: readonly string[]): Promise<Map<string, MessageCopy>> {
    return await findLatestCopies(this.#context.store.messages, account.id, ids)
  }

  async list(account: Account, page: MessagePage): Promise<Message[]> {
    return await this.#context.store.messages.list(toQuery(account, page))
  }

  async search(
    account: Account,
    page: MessagePage,
    criteria: MessageCriteria,
    count: number,
  ): Promise<FoundMessages> {
    return await this.#context.store.messages.search(toQuery(account, page), criteria, count)
  }

  get searchSizes(): SearchSizes {
    return this.#context.store.messages.searchSizes
  }

  async getQueueDepth(
    account: Account,
    most?: number,
  ): Promise<QueueDepth & { readonly at: number }> {
    const at = this.#context.clock.now()
    return { ...(await this.#context.store.messages.getQueueDepth(account.id, at, most)), at }
  }

  async get(account: Account, id: string): Promise<Message> {
    return requireMessage(await this.#context.store.messages.get(account.id, id), id)
  }

  async getIncludingDeleted(account: Account, id: string): Promise<Message> {
    const message = await this.#context.store.messages.get(account.id, id)
    if (message === undefined) throw notAMessageError(id)
    return message
  }

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
      ...(draft.text === undefined ? {} : { text: this.#composer.toText(draft.text, account) }),
      ...(draft.sendAt === undefined ? {} : { sendAt: draft.sendAt }),
      ...(draft.flash === undefined ? {} : { flash: draft.flash || undefined }),
    }
    const decide = (message: Message, now: number, facts: DecisionFacts) =>
      editMessage(message, changes, now, facts)
    return await this.#change(account, id, decide, { precondition, number: changes.number })
  }

  async remove(account: Account, id: string, precondition?: MessagePrecondition): Promise<void> {
    await this.#change(account, id, deleteMessage, { precondition })
  }

  async lock(
    account: Account,
    id: string,
    precondition?: MessagePrecondition,
  ): Promise<Message | undefined> {
    return await this.#change(account, id, lockMessage, { precondition })
  }

  async unlock(
    account: Account,
    id: string,
    precondition?: MessagePrecondition,
  ): Promise<Message | undefined> {
    return await this.#change(account, id, unlockMessage, { precondition })
  }

  async retry(
    account: Account,
    id: string,
    precondition?: MessagePrecondition,
  ): Promise<Message | undefined> {
    return await this.#change(account, id, retryMessage, { precondition })
  }

  /**
   * Restores a deleted message, unless it was sent again. Throws `not_a_message`, `invalid_state`.
   */
  async undelete(
    account: Account,
    id: string,
    precondition?: MessagePrecondition,
  ): Promise<Message | undefined> {
    const decide: DecideMessage = (message, facts) => {
      if (message === undefined) throw notAMessageError(id)
      const restored = undeleteMessage(message, this.#context.clock.now(), facts, account.mode)
      precondition?.(message)
      return restored
    }
    const options = { copyKey: buildCopyKey(id) }
    return await this.#context.store.messages.change(account.id, id, decide, options)
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
