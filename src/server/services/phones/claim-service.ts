// What phones do, and what the relay knows about them.
// - claim-service: NEXT, reports and releases; due-message-waiters: NEXT requests that wait
// - receipt-service: receipts of networks on sent messages
// - received-text-service: texts that phones received
// - phone-service: the phones by their signs of life; phone-registry: their state in memory
// - lease-holders: names of phones whose leases ended without a report
// - sandbox: reports on messages to test numbers, in place of a phone

import type { Account } from '../../../domain/account/account.js'
import { claimMessage, expireLease, getEndedLease } from '../../../domain/message/claim.js'
import {
  changeStatus,
  isStopped,
  isWaiting,
  type Message,
} from '../../../domain/message/message.js'
import type { BatchResult, ClaimedBatch } from '../../../domain/message/message-batch.js'
import { isPhoneLabel } from '../../../domain/phone/phone-status.js'
import type { DecideClaim, DecideMessage, MessageChangeRequest } from '../../store/message-store.js'
import { requireMessage } from '../messages/require-message.js'
import type { ServiceContext } from '../service-context.js'
import { applyOutcome, type Outcome } from './apply-outcome.js'
import { ClaimMetrics, type ObservedClaim } from './claim-metrics.js'
import { DueMessageWaiters, type WaitingPhone } from './due-message-waiters.js'
import { LeaseHolders } from './lease-holders.js'
import type { PhoneService } from './phone-service.js'

export interface ClaimOptions {
  readonly wait?: number
  readonly signal?: AbortSignal
  readonly onWait?: ((milliseconds: number) => void) | undefined
}

export interface BatchOptions extends ClaimOptions {
  readonly count: number
  /** Number of the last message that the service's caller, a phone, has received. */
  readonly since: number
}

export interface ReportedOutcome extends Outcome {
  readonly id: string
  readonly key?: string | undefined
  readonly phone?: string | undefined
}

const expiredLeasesPerCommit = 100

export class ClaimService {
  readonly #context: ServiceContext
  readonly lease: number
  readonly #phones: Pick<PhoneService, 'findName'>
  readonly #waiters: DueMessageWaiters
  readonly #metrics: ClaimMetrics

  constructor(context: ServiceContext, lease: number, phones: Pick<PhoneService, 'findName'>) {
    this.#context = context
    this.lease = lease
    this.#phones = phones
    this.#waiters = new DueMessageWaiters(context)
    this.#metrics = new ClaimMetrics(context.metrics)
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /**
   * Claims the next message for `holder`; undefined if no message becomes due within `wait`. Claims
   * nothing if the signal is aborted, or if the token ended during the wait.
   */
  async next(
    account: Account,
    holder: string,
    { wait = 0, signal, onWait }: ClaimOptions = {},
  ): Promise<Message | undefined> {
    const phone = { holder, signal, onWait }
    return await this.#claimOrWait(account, phone, wait, async (now, holders) => {
      const claim = { account: account.id, holder, now, lease: this.lease }
      let message: Message | undefined
      await holders.claim(async () => {
        const { decide, count } = this.#createDecision(account, holder, now, holders)
        message = await this.#context.store.messages.claim(claim, decide)
        count()
        return message === undefined
      })
      return message
    })
  }

  /**
   * Claims up to `count` messages for `holder` like {@link next}. Messages after `since` that it
   * holds come first; `claim` in the result is the `since` of the request after it.
   */
  async nextBatch(
    account: Account,
    holder: string,
    { count: size, since, wait = 0, signal, onWait }: BatchOptions,
  ): Promise<ClaimedBatch | undefined> {
    const phone = { holder, since, signal, onWait }
    return await this.#claimOrWait(account, phone, wait, async (now, holders) => {
      const batch = { account: account.id, holder, now, lease: this.lease }
      const messages: Message[] = []
      let claim = since
      await holders.claim(async () => {
        const { decide, count } = this.#createDecision(account, holder, now, holders)
        const rest = { ...batch, count: size - messages.length, since: claim }
        const claimed = await this.#context.store.messages.claimBatch(rest, decide)
        count()
        messages.push(...(claimed?.messages ?? []))
        claim = claimed?.claim ?? claim
        return messages.length < size
      })
      return messages.length === 0 ? undefined : { messages, claim }
    })
  }

  /**
   * Returns a message to the phone that leases it: as blocked if its number is on a Do Not Text
   * list by now. Throws `not_a_message`.
   */
  async getForPhone(account: Account, id: string): Promise<Message> {
    let isListed = false
    const { messages } = this.#context.store
    const message = await messages.change(account.id, id, (current, { blocked }) => {
      const owned = requireMessage(current, id)
      isListed = isStopped(owned, { blocked }) && isWaiting(owned)
      return {}
    })
    const owned = requireMessage(message, id)
    return isListed ? changeStatus(owned, 'B', this.#context.clock.now()) : owned
  }

  async report(account: Account, holder: string, outcome: ReportedOutcome): Promise<Message> {
    const { id, decide } = this.#createReport(account, holder, outcome)
    return requireMessage(await this.#context.store.messages.change(account.id, id, decide), id)
  }

  /**
   * Accepts outcomes like {@link report}, in order and in one commit. An invalid one has no effect
   * on the others.
   */
  async reportAll(
    account: Account,
    holder: string,
    outcomes: readonly ReportedOutcome[],
  ): Promise<BatchResult[]> {
    const changes = outcomes.map(outcome => this.#createReport(account, holder, outcome))
    return await this.#context.store.messages.changeAll(changes)
  }

  async settleExpiredLeases(): Promise<void> {
    const now = this.#context.clock.now()
    const { accounts, messages } = this.#context.store
    const ids = (await accounts.list('at-most-once')).map(({ id }) => id)
    const by = { now, mode: 'at-most-once', lease: this.lease } as const
    const holders = new LeaseHolders(this.#phones)
    for (;;) {
      const ended = await messages.listExpiredLeases(ids, now, expiredLeasesPerCommit)
      await holders.load(ended)
      const decide: DecideMessage = message =>
        message === undefined
          ? {}
          : expireLease(message, { ...by, formerPhone: holders.getName(message) })
      const results = await messages.changeAll(
        ended.map(({ account, id }) => ({ account, id, decide })),
      )
      this.#metrics.countExpired('at-most-once', results.filter(({ error }) => !error).length)
      if (ended.length < expiredLeasesPerCommit || results.some(({ error }) => error)) return
    }
  }

  stop(): void {
    this.#waiters.close()
  }

  /** Claims now, and again when a message may be due, until there is one or the wait ends. */
  async #claimOrWait<T>(
    account: Account,
    phone: WaitingPhone & Pick<ClaimOptions, 'onWait'>,
    wait: number,
    claim: (now: number, holders: LeaseHolders) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { clock, store } = this.#context
    const holders = new LeaseHolders(this.#phones)
    const deadline = clock.monotonic() + wait
    for (;;) {
      if (phone.signal?.aborted === true) {
        this.#waiters.wake(account.id)
        return undefined
      }
      const claimed = await claim(clock.now(), holders)
      if (claimed !== undefined) this.#waiters.wake(account.id)
      const since = clock.monotonic()
      if (claimed !== undefined || since >= deadline) return claimed
      const canRetry = await this.#waiters.wait(account.id, phone, deadline)
      phone.onWait?.(clock.monotonic() - since)
      if (!canRetry) return undefined
      if ((await store.tokens.get(phone.holder)) === undefined) {
        this.#waiters.wake(account.id)
        return undefined
      }
    }
  }

  #createDecision(
    { mode }: Account,
    holder: string,
    now: number,
    holders: LeaseHolders,
  ): ObservedClaim {
    const by = { holder, now, lease: this.lease, mode }
    const decide: DecideClaim = (message, facts, claim) => {
      const request = claim === undefined ? by : { ...by, claim }
      if (getEndedLease(message, now) === undefined) return claimMessage(message, request, facts)
      if (!holders.isKnown(message)) return { given: false }
      return claimMessage(message, { ...request, formerPhone: holders.getName(message) }, facts)
    }
    return this.#metrics.observe(decide, by)
  }

  #createReport(account: Account, holder: string, outcome: ReportedOutcome): MessageChangeRequest {
    const { id, key, phone } = outcome
    const by = {
      holder,
      now: this.#context.clock.now(),
      lease: this.lease,
      mode: account.mode,
      key,
      phone: phone !== undefined && isPhoneLabel(phone) ? phone : undefined,
    }
    const decide: DecideMessage = (current, facts) =>
      applyOutcome(requireMessage(current, id), outcome, by, facts)
    return { account: account.id, id, decide }
  }
}
