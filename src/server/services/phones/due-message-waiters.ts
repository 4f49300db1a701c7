import type { ServiceContext } from '../service-context.js'

type Waiter = (goOn: boolean) => void

interface Queue {
  readonly waiters: Set<Waiter>
  timer?: NodeJS.Timeout
}

const maxTimer = 60 * 60 * 1000

/** Where requests wait for a message of their account to become due; one is woken for each that does. */
export class DueMessageWaiters {
  readonly #context: ServiceContext
  readonly #queues = new Map<string, Queue>()
  readonly #unwatch: () => void
  #closed = false

  constructor(context: ServiceContext) {
    this.#context = context
    this.#unwatch = context.store.watch(notice => {
      if (notice.messages.length > 0) this.wake(notice.account)
      else this.#rouse(notice.account)
    })
  }

  /** Wakes the longest waiting of an account when a message is due, and otherwise when the next one will be. */
  wake(account: string): void {
    const queue = this.#queues.get(account)
    if (queue === undefined) return
    clearTimeout(queue.timer)
    const at = this.#context.store.messages.nextAvailable(account)
    if (at === undefined) return
    const wait = at - this.#context.now()
    if (wait <= 0) queue.waiters.values().next().value?.(true)
    else queue.timer = setTimeout(() => this.wake(account), Math.min(wait, maxTimer))
  }

  /**
   * Resolves to true when it is worth asking again, to false when the signal was aborted or the room
   * closed; at the latest at `deadline` (milliseconds since the epoch).
   */
  async wait(account: string, deadline: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#closed || signal?.aborted === true) return false
    const queue = this.#queues.get(account) ?? { waiters: new Set() }
    this.#queues.set(account, queue)
    return await new Promise(resolve => {
      const settle: Waiter = goOn => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
        this.#leave(account, queue, settle)
        resolve(goOn)
      }
      const leave = (): void => settle(false)
      const timer = setTimeout(settle, deadline - this.#context.now(), true)
      signal?.addEventListener('abort', leave, { once: true })
      queue.waiters.add(settle)
      this.wake(account)
    })
  }

  /** Ends every wait, now and from now on. */
  close(): void {
    this.#closed = true
    this.#unwatch()
    for (const { waiters } of [...this.#queues.values()]) {
      for (const settle of [...waiters]) settle(false)
    }
  }

  /** Has everyone ask again: the account may be gone. */
  #rouse(account: string): void {
    for (const settle of [...(this.#queues.get(account)?.waiters ?? [])]) settle(true)
  }

  #leave(account: string, queue: Queue, waiter: Waiter): void {
    queue.waiters.delete(waiter)
    if (queue.waiters.size > 0) return
    clearTimeout(queue.timer)
    this.#queues.delete(account)
  }
}
