import type { Clock } from '../../../util/async/clock.js'
import type { Store, StoreChange } from '../../store/store.js'

/** Waits for changes of one account. While it waits it costs one timer. */
export interface AccountListener {
  reset(): void
  /**
   * Waits until the listener is notified of a change of its account. Resolves to true on a
   * notification since the last {@link reset}, and to false after so many milliseconds.
   */
  wait(milliseconds: number): Promise<boolean>
  notify(): void
  remove(): void
}

/**
 * Whether the service records an event with a store change, or the change is the end of an account
 * or a token, among others, which is one without messages.
 */
export function hasEventsOrEnd({ messages, events, foreign }: StoreChange): boolean {
  return events.length > 0 || (messages.length === 0 && foreign?.messages !== true)
}

export class AccountListeners {
  readonly #clock: Pick<Clock, 'after'>
  readonly #listeners = new Map<string, Set<AccountListener>>()
  readonly #unwatch: () => void

  constructor(
    store: Pick<Store, 'watch'>,
    clock: Pick<Clock, 'after'>,
    concerns: (change: StoreChange) => boolean,
  ) {
    this.#clock = clock
    this.#unwatch = store.watch(
      change => {
        if (concerns(change)) this.#notify(change.account)
      },
      () => this.#notifyAll(),
    )
  }

  add(account: string): AccountListener {
    const listeners = this.#listeners.get(account) ?? new Set()
    this.#listeners.set(account, listeners)
    const listener = createListener(this.#clock, () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(account) === listeners) {
        this.#listeners.delete(account)
      }
    })
    listeners.add(listener)
    return listener
  }

  /** Notifies the listeners of all accounts for the last time. */
  close(): void {
    this.#unwatch()
    this.#notifyAll()
  }

  #notifyAll(): void {
    for (const account of [...this.#listeners.keys()]) this.#notify(account)
  }

  #notify(account: string): void {
    for (const listener of this.#listeners.get(account) ?? []) listener.notify()
  }
}

function createListener(clock: Pick<Clock, 'after'>, onRemove: () => void): AccountListener {
  let isNotified = false
  let wake = (): void => {}
  const notify = (): void => {
    isNotified = true
    wake()
  }
  return {
    reset: () => {
      isNotified = false
    },
    wait: async milliseconds => {
      if (!isNotified) {
        await new Promise<void>(resolve => {
          const cancel = clock.after(milliseconds, resolve)
          wake = () => {
            cancel()
            resolve()
          }
        })
      }
      return isNotified
    },
    notify,
    remove: () => {
      onRemove()
      notify()
    },
  }
}
