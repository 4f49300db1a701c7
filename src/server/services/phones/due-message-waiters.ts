import type { StoreChange } from '../../store/store.js'
import type { ServiceContext } from '../service-context.js'

interface Waiter {
  readonly holder: string
  /** Number of the last message that the waiting holder knows, of a request for a batch. */
  readonly since: number | undefined
  readonly settle: (canRetry: boolean) => void
  /** Cancels the waiting NEXT's timer for messages that its holder leases. */
  cancelTimer?: () => void
}

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
  /** Number of the last look for a due message; an earlier one that ends later does not count. */
  look: number
}

/**
 * The wall clock may be set while a timer runs, so a NEXT that waits long checks it once an hour.
 */
const maxTimer = 60 * 60 * 1000

/** Milliseconds until a look that failed in the store is repeated. */
const delayAfterError = 1000

/**
 * Milliseconds between two looks at a shared store: a node that dies right after a change does not
 * tell the others.
 */
const lookInterval = 5000

export class DueMessageWaiters {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  readonly #queues = new Map<string, Queue>()
  readonly #unwatch: () => void
  #cancelLook: (() => void) | undefined
  #closed = false

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
    this.#unwatch = context.store.watch(
      change => this.#handleChange(change),
      () => [...this.#queues.values()].forEach(wakeAll),
    )
  }

  get size(): number {
    return [...this.#queues.values()].reduce((sum, { waiters }) => sum + waiters.size, 0)
  }

  wake(account: string): void {
    const queue = this.#queues.get(account)
    if (queue !== undefined) void this.#lookForDue(account, queue)
  }

  /**
   * Has a NEXT wait for a due message. Resolves to true when the caller should try again, at the
   * latest at `deadline` (in `clock.monotonic` time), and to false when the signal is aborted or on
   * {@link close}.
   */
  async wait(
    account: string,
    { holder, since, signal }: WaitingPhone,
    deadline: number,
  ): Promise<boolean> {
    if (this.#closed || signal?.aborted === true) return false
    const queue = this.#queues.get(account) ?? { waiters: new Set(), byHolder: new Map(), look: 0 }
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
      const cancelDeadline = clock.after(deadline - clock.monotonic(), () => settle(true))
      signal?.addEventListener('abort', abort, { once: true })
      queue.waiters.add(waiter)
      queue.byHolder.set(holder, waiter)
      void this.#lookForHeld(account, queue, waiter)
      this.wake(account)
      this.#lookAgainLater()
    })
  }

  close(): void {
    this.#closed = true
    this.#unwatch()
    this.#cancelLook?.()
    for (const { waiters } of [...this.#queues.values()]) {
      for (const { settle } of [...waiters]) settle(false)
    }
  }

  #handleChange({ account, messages, holders, foreign }: StoreChange): void {
    const queue = this.#queues.get(account)
    if (queue === undefined) return
    if (messages.length > 0 || foreign?.messages === true) {
      this.wake(account)
      this.#wakeHolders(account, queue, holders)
    } else wakeAll(queue)
  }

  /** Looks for messages of all waiting requests at the same time, so that they share statements. */
  #lookAgainLater(): void {
    const { store, clock } = this.#context
    if (!store.isShared || this.#cancelLook !== undefined) return
    this.#cancelLook = clock.after(lookInterval, () => {
      this.#cancelLook = undefined
      for (const [account, queue] of this.#queues) {
        this.wake(account)
        for (const waiter of queue.waiters) void this.#lookForHeld(account, queue, waiter)
      }
      if (this.#queues.size > 0) this.#lookAgainLater()
    })
  }

  async #lookForDue(account: string, queue: Queue): Promise<void> {
    queue.cancelTimer?.()
    queue.look += 1
    const { look } = queue
    const { store, clock } = this.#context
    const at = await store.messages
      .findNextAvailable(account)
      .catch(() => clock.now() + delayAfterError)
    if (queue.look !== look || queue.waiters.size === 0 || at === undefined) return
    const wait = at - clock.now()
    if (wait <= 0) queue.waiters.values().next().value?.settle(true)
    else queue.cancelTimer = clock.after(Math.min(wait, maxTimer), () => this.wake(account))
  }

  #wakeHolders(account: string, queue: Queue, holders: readonly string[]): void {
    for (const holder of new Set(holders)) {
      const waiter = queue.byHolder.get(holder)
      if (waiter !== undefined) void this.#lookForHeld(account, queue, waiter)
    }
  }

  /** Wakes a request now or when a message that its holder leases is due. */
  async #lookForHeld(account: string, queue: Queue, waiter: Waiter): Promise<void> {
    waiter.cancelTimer?.()
    const { store, clock } = this.#context
    const { holder, since } = waiter
    const at = await store.messages
      .findNextHeld(account, holder, clock.now(), since)
      .catch(() => clock.now() + delayAfterError)
    if (at === undefined || !queue.waiters.has(waiter)) return
    waiter.cancelTimer?.()
    const wait = Math.min(at - clock.now(), maxTimer)
    if (wait <= 0) waiter.settle(true)
    else waiter.cancelTimer = clock.after(wait, () => this.#lookForHeld(account, queue, waiter))
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

/** Wakes all NEXT requests of an account, which may have been removed. */
function wakeAll({ waiters }: Queue): void {
  for (const { settle } of [...waiters]) settle(true)
}
