import type { ServiceContext } from '../service-context.js'

type Waiter = (canRetry: boolean) => void

interface Queue {
  readonly waiters: Set<Waiter>
  cancelTimer?: () => void
}

/** The wall clock may be set while a timer runs, so a long wait checks it once an hour. */
const maxTimer = 60 * 60 * 1000

/** Requests that wait for a message of their account to become due; each due message wakes one. */
export class DueMessageWaiters {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  readonly #queues = new Map<string, Queue>()
  readonly #unwatch: () => void
  #closed = false

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
    this.#unwatch = context.store.watch(change => {
      if (change.messages.length > 0) this.wake(change.account)
      else this.#wakeAll(change.account)
    })
  }

  /** Wakes the longest waiting request of an account, now or when its next message is due. */
  wake(account: string): void {
    const queue = this.#queues.get(account)
    if (queue === undefined) return
    queue.cancelTimer?.()
    const { store, clock } = this.#context
    const at = store.messages.nextAvailable(account)
    if (at === undefined) return
    const wait = at - clock.now()
    if (wait <= 0) queue.waiters.values().next().value?.(true)
    else queue.cancelTimer = clock.after(Math.min(wait, maxTimer), () => this.wake(account))
  }

  /**
   * Resolves to true when the caller should try again, at the latest at `deadline` (milliseconds
   * since the epoch), and to false when the signal is aborted or on {@link close}.
   */
  async wait(account: string, deadline: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#closed || signal?.aborted === true) return false
    const queue = this.#queues.get(account) ?? { waiters: new Set() }
    this.#queues.set(account, queue)
    const { clock } = this.#context
    return await new Promise(resolve => {
      const settle: Waiter = canRetry => {
        cancelDeadline()
        signal?.removeEventListener('abort', abort)
        this.#remove(account, queue, settle)
        resolve(canRetry)
      }
      const abort = (): void => settle(false)
      const cancelDeadline = clock.after(deadline - clock.now(), () => settle(true))
      signal?.addEventListener('abort', abort, { once: true })
      queue.waiters.add(settle)
      this.wake(account)
    })
  }

  /** Ends all waits, present and future. */
  close(): void {
    this.#closed = true
    this.#unwatch()
    for (const { waiters } of [...this.#queues.values()]) {
      for (const settle of [...waiters]) settle(false)
    }
  }

  /** All try again, because the account may have been removed. */
  #wakeAll(account: string): void {
    for (const settle of [...(this.#queues.get(account)?.waiters ?? [])]) settle(true)
  }

  #remove(account: string, queue: Queue, waiter: Waiter): void {
    queue.waiters.delete(waiter)
    if (queue.waiters.size > 0) return
    queue.cancelTimer?.()
    this.#queues.delete(account)
  }
}
