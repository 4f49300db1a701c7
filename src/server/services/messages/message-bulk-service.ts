import { setImmediate } from 'node:timers/promises'
import type { Account } from '../../../domain/account/account.js'
import {
  allowsBulkAction,
  type BulkAction,
  type BulkChange,
  decideBulkAction,
} from '../../../domain/message/bulk-action.js'
import type { Message, Status } from '../../../domain/message/message.js'
import { isRelayError, type RelayError } from '../../../errors.js'
import type { DecideMessage, MessageChangeRequest } from '../../store/message-store.js'
import type { ServiceContext } from '../service-context.js'
import { buildCopyKey, findNextCopies, isUnsent } from './message-copies.js'
import type { MessageService } from './message-service.js'
import { notAMessageError } from './require-message.js'

export interface BulkResult {
  readonly done: readonly string[]
  /** Number of messages that the service left as they were, by the state that did not allow it. */
  readonly skipped: ReadonlyMap<Status, number>
  readonly missing: number
  readonly blocked: number
  /**
   * Number of messages that the service left because a copy was sent, or still can be; for
   * `undelete`, because there is a copy.
   */
  readonly sentAgain: number
  /** Ids of the messages that a limit of the account did not allow the service to send again. */
  readonly refused: readonly string[]
  /** Names the limit, and when the service allows more; undefined: nothing was refused. */
  readonly limit?: RelayError
}

interface Tally {
  readonly done: string[]
  readonly skipped: Map<Status, number>
  readonly refused: string[]
  missing: number
  blocked: number
  sentAgain: number
  limit?: RelayError
}

interface Repeated {
  readonly message: Message
  readonly again: string
}

const batchSize = 250

export class MessageBulkService {
  readonly #context: ServiceContext
  readonly #messages: Pick<MessageService, 'acceptAll'>

  constructor(context: ServiceContext, messages: Pick<MessageService, 'acceptAll'>) {
    this.#context = context
    this.#messages = messages
  }

  async find(account: Account, ids: readonly string[]): Promise<Message[]> {
    const { messages } = this.#context.store
    const found: Message[] = []
    for (const batch of toBatches(ids)) {
      const loaded = await Promise.all(batch.map(id => messages.get(account.id, id)))
      found.push(...loaded.filter(each => each !== undefined))
      await setImmediate()
    }
    return found
  }

  /**
   * Runs the action on each message whose state allows it when its turn comes.
   * @param key idempotency key: with the same one, the service sends no message again twice
   */
  async run(
    account: Account,
    ids: readonly string[],
    action: BulkAction,
    key: string,
  ): Promise<BulkResult> {
    const counts = { missing: 0, blocked: 0, sentAgain: 0 }
    const tally: Tally = { done: [], refused: [], skipped: new Map(), ...counts }
    for (const batch of toBatches(ids)) {
      if (action === 'again') await this.#sendAgain(account, batch, key, tally)
      else await this.#change(account, batch, action, tally)
      await setImmediate()
    }
    return tally
  }

  async #change(
    account: Account,
    ids: readonly string[],
    action: BulkChange,
    tally: Tally,
  ): Promise<void> {
    const before = new Map<string, Status>()
    const sentAgain = new Set<string>()
    const { clock, store } = this.#context
    const changes = ids.map((id): MessageChangeRequest => {
      const decide: DecideMessage = (message, { blocked, isSentAgain = false }) => {
        if (message === undefined) throw notAMessageError(id)
        before.set(id, message.status)
        if (message.status === 'D' && isSentAgain) sentAgain.add(id)
        const facts = { blocked, isSentAgain, now: clock.now(), mode: account.mode }
        return decideBulkAction(action, message, facts)
      }
      const options = action === 'undelete' ? { copyKey: buildCopyKey(id) } : {}
      return { account: account.id, id, decide, options }
    })
    const results = await store.messages.changeAll(changes)
    for (const [at, { message, error }] of results.entries()) {
      const id = ids[at] as string
      if (error !== undefined && sentAgain.has(id)) tally.sentAgain += 1
      else if (error !== undefined) skip(tally, before.get(id))
      else if (message?.status === 'B') tally.blocked += 1
      else tally.done.push(id)
    }
  }

  async #sendAgain(
    account: Account,
    ids: readonly string[],
    key: string,
    tally: Tally,
  ): Promise<void> {
    const found = await this.find(account, ids)
    const failed = found.filter(message => allowsBulkAction('again', message))
    for (const message of found) if (!failed.includes(message)) skip(tally, message.status)
    tally.missing += ids.length - found.length
    for (let open = failed.map(message => ({ message, again: message.id })); open.length > 0; )
      open = await this.#sendCopies(account, open, key, tally)
  }

  /** Resolves to those that others had sent again, but whose copies were not sent either. */
  async #sendCopies(
    account: Account,
    open: readonly Repeated[],
    key: string,
    tally: Tally,
  ): Promise<Repeated[]> {
    const drafts = open.map(({ message: { destination, text }, again }) => {
      return { destination, text, again, key, onlyUnsent: true }
    })
    const results = await this.#messages.acceptAll(account, drafts, 'website')
    const taken: Repeated[] = []
    for (const [at, { message, error }] of results.entries()) {
      const repeated = open[at] as Repeated
      if (isRelayError(error, 'invalid_request')) taken.push(repeated)
      else if (isRelayError(error, 'precondition_failed')) tally.sentAgain += 1
      else if (isRelayError(error, 'too_many_requests')) {
        tally.refused.push(repeated.message.id)
        tally.limit = error
      } else if (error !== undefined) throw error
      else if (message?.status === 'B') tally.blocked += 1
      else tally.done.push(repeated.message.id)
    }
    return await this.#followCopies(account, taken, tally)
  }

  async #followCopies(
    account: Account,
    taken: readonly Repeated[],
    tally: Tally,
  ): Promise<Repeated[]> {
    const { messages } = this.#context.store
    const ids = taken.map(({ again }) => again)
    const copies = await findNextCopies(messages, account.id, ids)
    const open = taken.flatMap(({ message }, at) => {
      const copy = copies[at]
      return copy !== undefined && isUnsent(copy.message) ? [{ message, again: copy.id }] : []
    })
    tally.sentAgain += taken.length - open.length
    return open
  }
}

function skip(tally: Tally, status: Status | undefined): void {
  if (status === undefined) tally.missing += 1
  else tally.skipped.set(status, (tally.skipped.get(status) ?? 0) + 1)
}

function* toBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += batchSize)
    yield ids.slice(start, start + batchSize)
}
