import type { ServiceContext } from '../service-context.js'

interface Waiter {
  readonly holder: string
  /** Number of the last message that the waiting holder knows, of a request for a batch. */
  readonly since: number | undefined
  readonly settle: (canRetry: boolean) => void
  /** Cancels the waiting NEXT's timer for messages that its holder leases. */
  cancelTimer?: () => void
}

/** A phone whose NEXT waits in the service. */
export interface WaitingPhone {
  readonly holder: string
  /** Number of the last message that the waiting phone knows, of a request for a batch. */
  readonly since?: number | undefined
  readonly signal?: AbortSignal | undefined
}

interface Queue {
  readonly waiters: Set<Waiter>
  /** The last waiting NEXT of each holder of leases. */
  readonly byHolder: Map<string, Waiter>
  cancelTimer?: () => void
}

/**
 * The wall clock may be set while a timer runs, so a NEXT that waits long checks it once an hour.
 */
const maxTimer = 60 * 60 * 1000

/**
 * NEXT requests that wait for a message of their account to become due; each due message wakes one.
 */
export class DueMessageWaiters {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  readonly #queues = new Map<string, Queue>()
  readonly #unwatch: () => void
  #closed = false

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
    this.#unwatch = context.store.watch(change => {
      if (change.messages.length === 0) this.#wakeAll(change.account)
      else {
        this.wake(change.account)
        this.#wakeHolders(change.account, change.messages)
      }
    })
  }

  /** Wakes the longest waiting NEXT of an account, now or when its next message is due. */
  wake(account: string): void {
    const queue = this.#queues.get(account)
    if (queue === undefined) return
    queue.cancelTimer?.()
    const { store, clock } = this.#context
    const at = store.messages.nextAvailable(account)
    if (at === undefined) return
    const wait = at - clock.now()
    if (wait <= 0) queue.waiters.values().next().value?.settle(true)
    else queue.cancelTimer = clock.after(Math.min(wait, maxTimer), () => this.wake(account))
  }

  /**
   * Has a NEXT wait for a due message. Resolves to true when the caller should try again, at the
   * latest at `deadline` (milliseconds since the epoch), and to false when the signal is aborted or
   * on {@link close}.
   */
  async wait(
    account: string,
    { holder, since, signal }: WaitingPhone,
    deadline: number,
  ): Promise<boolean> {
    if (this.#closed || signal?.aborted === true) return false
    const queue = this.#queues.get(account) ?? { waiters: new Set(), byHolder: new Map() }
    this.#queues.set(account, queue)
    const { clock } = this.#context
    return await new Promise(resolve => {
      const settle = (canRetry: boolean): void => {
        cancelDeadline()
        signal?.removeEventListener('abort', abort)
        this.#remove(account, queue, waiter)
        resolve(canRetry)
      }
      const waiter: Waiter = { holder, since, settle }
      const abort = (): void => settle(false)
      const cancelDeadline = clock.after(deadline - clock.now(), () => settle(true))
      signal?.addEventListener('abort', abort, { once: true })
      queue.waiters.add(waiter)
      queue.byHolder.set(holder, waiter)
      this.#wakeHolder(account, waiter)
      this.wake(account)
    })
  }

  /** Ends all waits of NEXT requests, present and future. */
  close(): void {
    this.#closed = true
    this.#unwatch()
    for (const { waiters } of [...this.#queues.values()]) {
      for (const { settle } of [...waiters]) settle(false)
    }
  }

  /** Wakes all NEXT requests of an account, which may have been removed. */
  #wakeAll(account: string): void {
    for (const { settle } of [...(this.#queues.get(account)?.waiters ?? [])]) settle(true)
  }

  /** Wakes the holders of leases on messages that have changed, such as one that was unlocked. */
  #wakeHolders(account: string, messages: readonly string[]): void {
    const queue = this.#queues.get(account)
    if (queue === undefined) return
    const changed = new Set<Waiter>()
    for (const id of messages) {
      const waiter = queue.byHolder.get(this.#context.store.messages.findHolder(id) ?? '')
      if (waiter !== undefined) changed.add(waiter)
    }
    for (const waiter of changed) this.#wakeHolder(account, waiter)
  }

  /** Wakes a request now or when a message that its holder leases is due. */
  #wakeHolder(account: string, waiter: Waiter): void {
    waiter.cancelTimer?.()
    const { store, clock } = this.#context
    const at = store.messages.nextHeld(account, waiter.holder, clock.now(), waiter.since)
    if (at === undefined) return
    const wait = Math.min(at - clock.now(), maxTimer)
    if (wait <= 0) waiter.settle(true)
    else waiter.cancelTimer = clock.after(wait, () => this.#wakeHolder(account, waiter))
  }

  #remove(account: string, queue: Queue, waiter: Waiter): void {
    waiter.cancelTimer?.()
    queue.waiters.delete(waiter)
    if (queue.byHolder.get(waiter.holder) === waiter) queue.byHolder.delete(waiter.holder)
    if (queue.waiters.size > 0) return
    queue.cancelTimer?.()
    this.#queues.delete(account)
  }
}
