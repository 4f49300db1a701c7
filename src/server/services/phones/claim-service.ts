import type { Account } from '../../../domain/account/account.js'
import { claimMessage, expireLease } from '../../../domain/message/claim.js'
import { changeStatus, isWaiting, type Message } from '../../../domain/message/message.js'
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

/** How {@link ClaimService.next} waits for a message. */
export interface ClaimOptions {
  /** Milliseconds to wait for a message to become due. @default 0 */
  readonly wait?: number
  readonly signal?: AbortSignal
}

/** What phones do: take the next message and report what became of it (SPEC.md sections 3 and 4.2). */
export class ClaimService {
  readonly #context: ServiceContext
  readonly #lease: number
  readonly #room: DueMessageWaiters

  /** @param lease length of a lease in milliseconds */
  constructor(context: ServiceContext, lease: number) {
    this.#context = context
    this.#lease = lease
    this.#room = new DueMessageWaiters(context)
  }

  /**
   * The next message, leased to `holder`; undefined when none is due within the time to wait. Nothing is claimed for
   * a signal that was aborted, nor after a wait for a token that ended meanwhile.
   */
  async next(
    account: Account,
    holder: string,
    { wait = 0, signal }: ClaimOptions = {},
  ): Promise<Message | undefined> {
    const deadline = this.#context.now() + wait
    if (signal?.aborted === true) return undefined
    for (;;) {
      const message = await this.#claim(account, holder)
      if (message !== undefined) this.#room.wake(account.id)
      if (message !== undefined || this.#context.now() >= deadline) return message
      const goOn = await this.#room.wait(account.id, deadline, signal)
      if (!goOn) return undefined
      if ((await this.#context.store.tokens.get(holder)) === undefined) {
        this.#room.wake(account.id)
        return undefined
      }
    }
  }

  /**
   * A message as the phone that has it in hand should take it: shown as blocked when its number was listed since. Throws
   * `not_a_message`.
   */
  async getForPhone(account: Account, id: string): Promise<Message> {
    let isListed = false
    const message = await this.#context.store.messages.change(id, (current, { blocked }) => {
      isListed = blocked && isWaiting(requireMessage(current, account, id))
      return {}
    })
    const owned = requireMessage(message, account, id)
    return isListed ? changeStatus(owned, 'B', this.#context.now()) : owned
  }

  /** Takes a success report (SPEC.md section 4.2). Throws `not_a_message`, `invalid_state`. */
  async reportSuccess(
    account: Account,
    holder: string,
    id: string,
    report: SuccessReport,
    key?: string,
  ): Promise<Message> {
    const by = { holder, now: this.#context.now(), ...(key === undefined ? {} : { key }) }
    const message = await this.#context.store.messages.change(id, current =>
      reportSuccess(requireMessage(current, account, id), report, by),
    )
    return requireMessage(message, account, id)
  }

  /** Takes a failure report (SPEC.md section 4.2). Throws `not_a_message`, `invalid_state`. */
  async reportFailure(
    account: Account,
    holder: string,
    id: string,
    report: FailureReport,
    key?: string,
  ): Promise<Message> {
    const by = { holder, now: this.#context.now(), ...(key === undefined ? {} : { key }) }
    const message = await this.#context.store.messages.change(id, current =>
      reportFailure(requireMessage(current, account, id), report, by, account.mode),
    )
    return requireMessage(message, account, id)
  }

  /** Takes a message back that its holder has not sent (extension). Throws `not_a_message`, `invalid_state`. */
  async release(
    account: Account,
    holder: string,
    id: string,
    how: ReleaseRequest,
  ): Promise<Message> {
    const by = { holder, now: this.#context.now() }
    const message = await this.#context.store.messages.change(id, (current, facts) =>
      releaseMessage(requireMessage(current, account, id), how, by, facts),
    )
    return requireMessage(message, account, id)
  }

  /** Decides on every lease that ended unreported, by the delivery mode of its account. */
  async settleExpiredLeases(): Promise<void> {
    const now = this.#context.now()
    const { accounts, messages } = this.#context.store
    for (const { id, account } of messages.expiredLeases(now)) {
      const mode = (await accounts.get(account))?.mode
      if (mode !== 'at-most-once') continue
      await messages.change(id, message => (message ? expireLease(message, now, mode) : {}))
    }
  }

  /** Ends every wait. */
  stop(): void {
    this.#room.close()
  }

  #claim(account: Account, holder: string): Promise<Message | undefined> {
    const now = this.#context.now()
    const by = { holder, now, lease: this.#lease, mode: account.mode }
    return this.#context.store.messages.claim(account.id, holder, now, (message, facts) =>
      claimMessage(message, by, facts),
    )
  }
}
