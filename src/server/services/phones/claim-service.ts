// What phones do, and what the relay knows about them.
// - claim-service: NEXT, reports and releases; due-message-waiters: NEXT requests that wait
// - received-text-service: texts that phones received
// - phone-service: the phones by their signs of life; phone-registry: their state in memory
// - sandbox: reports on messages to test numbers, in place of a phone

import type { Account } from '../../../domain/account/account.js'
import { claimMessage, expireLease } from '../../../domain/message/claim.js'
import {
  changeStatus,
  isStopped,
  isWaiting,
  type Message,
} from '../../../domain/message/message.js'
import {
  type FailureReport,
  type ReleaseRequest,
  releaseMessage,
  reportFailure,
  reportSuccess,
  type SuccessReport,
} from '../../../domain/message/report.js'
import { requireMessage } from '../messages/message-service.js'
import type { ServiceContext } from '../service-context.js'
import { DueMessageWaiters } from './due-message-waiters.js'

export interface ClaimOptions {
  /** Milliseconds that a NEXT waits for a message to become due. @default 0 */
  readonly wait?: number
  readonly signal?: AbortSignal
}

/** What phones do: claim the next message and report on it (docs/reference/interface.md 3, 4.2). */
export class ClaimService {
  readonly #context: ServiceContext
  readonly #lease: number
  readonly #waiters: DueMessageWaiters

  /** @param lease length of a message lease in milliseconds */
  constructor(context: ServiceContext, lease: number) {
    this.#context = context
    this.#lease = lease
    this.#waiters = new DueMessageWaiters(context)
  }

  /**
   * Claims the next message for `holder`; undefined if no message becomes due within `wait`. Claims
   * nothing if the signal is aborted, or if the token ended during the wait.
   */
  async next(
    account: Account,
    holder: string,
    { wait = 0, signal }: ClaimOptions = {},
  ): Promise<Message | undefined> {
    const deadline = this.#context.clock.now() + wait
    for (;;) {
      if (signal?.aborted === true) {
        this.#waiters.wake(account.id)
        return undefined
      }
      const message = await this.#claim(account, holder)
      if (message !== undefined) this.#waiters.wake(account.id)
      if (message !== undefined || this.#context.clock.now() >= deadline) return message
      const canRetry = await this.#waiters.wait(account.id, holder, deadline, signal)
      if (!canRetry) return undefined
      if ((await this.#context.store.tokens.get(holder)) === undefined) {
        this.#waiters.wake(account.id)
        return undefined
      }
    }
  }

  /**
   * Returns a message to the phone that leases it: as blocked if its number is on a Do Not Text
   * list by now. Throws `not_a_message`.
   */
  async getForPhone(account: Account, id: string): Promise<Message> {
    let isListed = false
    const message = await this.#context.store.messages.change(id, (current, { blocked }) => {
      const owned = requireMessage(current, account, id)
      isListed = isStopped(owned, { blocked }) && isWaiting(owned)
      return {}
    })
    const owned = requireMessage(message, account, id)
    return isListed ? changeStatus(owned, 'B', this.#context.clock.now()) : owned
  }

  /**
   * Accepts a phone's success report (docs/reference/interface.md 4.2). Throws `not_a_message`,
   * `invalid_state`.
   */
  async reportSuccess(
    account: Account,
    holder: string,
    id: string,
    report: SuccessReport,
    key?: string,
  ): Promise<Message> {
    const by = { holder, now: this.#context.clock.now(), ...(key === undefined ? {} : { key }) }
    const message = await this.#context.store.messages.change(id, current =>
      reportSuccess(requireMessage(current, account, id), report, by),
    )
    return requireMessage(message, account, id)
  }

  /**
   * Accepts a phone's failure report (docs/reference/interface.md 4.2). Throws `not_a_message`,
   * `invalid_state`.
   */
  async reportFailure(
    account: Account,
    holder: string,
    id: string,
    report: FailureReport,
    key?: string,
  ): Promise<Message> {
    const by = { holder, now: this.#context.clock.now(), ...(key === undefined ? {} : { key }) }
    const message = await this.#context.store.messages.change(id, current =>
      reportFailure(requireMessage(current, account, id), report, by, account.mode),
    )
    return requireMessage(message, account, id)
  }

  /** Releases a message that its phone has not sent: ends the lease. Throws as the reports do. */
  async release(
    account: Account,
    holder: string,
    id: string,
    request: ReleaseRequest,
  ): Promise<Message> {
    const by = { holder, now: this.#context.clock.now() }
    const message = await this.#context.store.messages.change(id, (current, facts) =>
      releaseMessage(requireMessage(current, account, id), request, by, facts),
    )
    return requireMessage(message, account, id)
  }

  /**
   * Decides on each message lease that ended without a report, by the delivery mode of its account.
   */
  async settleExpiredLeases(): Promise<void> {
    const now = this.#context.clock.now()
    const { accounts, messages } = this.#context.store
    for (const { id, account } of messages.expiredLeases(now)) {
      const mode = (await accounts.get(account))?.mode
      if (mode !== 'at-most-once') continue
      await messages.change(id, message => (message ? expireLease(message, now, mode) : {}))
    }
  }

  stop(): void {
    this.#waiters.close()
  }

  #claim(account: Account, holder: string): Promise<Message | undefined> {
    const now = this.#context.clock.now()
    const by = { holder, now, lease: this.#lease, mode: account.mode }
    return this.#context.store.messages.claim(account.id, holder, now, (message, facts) =>
      claimMessage(message, by, facts),
    )
  }
}
