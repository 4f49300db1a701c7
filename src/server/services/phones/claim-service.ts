import type { Account } from '../../../domain/account/account.js'
import { claim, lapse } from '../../../domain/message/claim.js'
import { isWaiting, type Message, withStatus } from '../../../domain/message/message.js'
import {
  type Failure,
  type Release,
  release,
  reportFailure,
  reportSuccess,
  type Success,
} from '../../../domain/message/report.js'
import { assertOwned } from '../messages/message-service.js'
import type { ServiceContext } from '../service-context.js'
import { WaitingRoom } from './due-message-waiters.js'

/** How {@link ClaimService.next} waits for a message. */
export interface Patience {
  /** Milliseconds to wait for a message to become due. @default 0 */
  readonly wait?: number
  readonly signal?: AbortSignal
}

/** What phones do: take the next message and report what became of it (SPEC.md sections 3 and 4.2). */
export class ClaimService {
  readonly #context: ServiceContext
  readonly #lease: number
  readonly #room: WaitingRoom

  /** @param lease length of a lease in milliseconds */
  constructor(context: ServiceContext, lease: number) {
    this.#context = context
    this.#lease = lease
    this.#room = new WaitingRoom(context)
  }

  /**
   * The next message, leased to `holder`; undefined when none is due within the time to wait. Nothing is claimed for
   * a signal that was aborted, nor after a wait for a token that ended meanwhile.
   */
  async next(
    account: Account,
    holder: string,
    { wait = 0, signal }: Patience = {},
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
  async look(account: Account, id: string): Promise<Message> {
    let isListed = false
    const message = await this.#context.store.messages.change(id, (current, { blocked }) => {
      isListed = blocked && isWaiting(assertOwned(current, account, id))
      return {}
    })
    const owned = assertOwned(message, account, id)
    return isListed ? withStatus(owned, 'B', this.#context.now()) : owned
  }

  /** Takes a success report (SPEC.md section 4.2). Throws `not_a_message`, `invalid_state`. */
  async succeed(
    account: Account,
    holder: string,
    id: string,
    report: Success,
    key?: string,
  ): Promise<Message> {
    const by = { holder, now: this.#context.now(), ...(key === undefined ? {} : { key }) }
    const message = await this.#context.store.messages.change(id, current =>
      reportSuccess(assertOwned(current, account, id), report, by),
    )
    return assertOwned(message, account, id)
  }

  /** Takes a failure report (SPEC.md section 4.2). Throws `not_a_message`, `invalid_state`. */
  async fail(
    account: Account,
    holder: string,
    id: string,
    report: Failure,
    key?: string,
  ): Promise<Message> {
    const by = { holder, now: this.#context.now(), ...(key === undefined ? {} : { key }) }
    const message = await this.#context.store.messages.change(id, current =>
      reportFailure(assertOwned(current, account, id), report, by, account.mode),
    )
    return assertOwned(message, account, id)
  }

  /** Takes a message back that its holder has not sent (extension). Throws `not_a_message`, `invalid_state`. */
  async release(account: Account, holder: string, id: string, how: Release): Promise<Message> {
    const by = { holder, now: this.#context.now() }
    const message = await this.#context.store.messages.change(id, (current, facts) =>
      release(assertOwned(current, account, id), how, by, facts),
    )
    return assertOwned(message, account, id)
  }

  /** Decides on every lease that ended unreported, by the delivery mode of its account. */
  async settleLapsed(): Promise<void> {
    const now = this.#context.now()
    const { accounts, messages } = this.#context.store
    for (const { id, account } of messages.lapsed(now)) {
      const mode = (await accounts.get(account))?.mode
      if (mode !== 'at-most-once') continue
      await messages.change(id, message => (message ? lapse(message, now, mode) : {}))
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
      claim(message, by, facts),
    )
  }
}
