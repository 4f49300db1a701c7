import type { Clock } from '../../../util/async/clock.js'
import type { Store } from '../../store/store.js'

/** Waits for the events of one account. While it waits it costs one timer. */
export interface AccountListener {
  /** Forgets the earlier notifications of this listener. */
  reset(): void
  /**
   * Waits until the listener is notified of an event of its account. Resolves to true on a
   * notification since the last {@link reset}, and to false after so many milliseconds.
   */
  wait(milliseconds: number): Promise<boolean>
  notify(): void
  /** Removes the listener from the service and ends its wait. */
  remove(): void
}

/** Notifies listeners of an account's events, and when the account or one of its tokens ends. */
export class AccountListeners {
  readonly #clock: Pick<Clock, 'after'>
  readonly #listeners = new Map<string, Set<AccountListener>>()
  readonly #unwatch: () => void

  constructor(store: Pick<Store, 'watch'>, clock: Pick<Clock, 'after'>) {
    this.#clock = clock
    this.#unwatch = store.watch(
      ({ account, messages, events, foreign }) => {
        // A store change without messages and events is the end of an account or a token, among
        // others.
        const isOther = messages.length === 0 && foreign?.messages !== true
        if (events.length > 0 || isOther) this.#notify(account)
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
