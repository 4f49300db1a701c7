import type { Store } from '../../store/store.js'

/** Tells one waiter that something was recorded. */
export interface AccountListener {
  /** Forgets what rang before. */
  reset(): void
  /** Resolves to true when it rings or has rung since it was silenced, to false after so many milliseconds. */
  wait(milliseconds: number): Promise<boolean>
  /** Rings this one. */
  notify(): void
  /** Takes it down; whoever waits goes on. */
  remove(): void
}

/** Bells of accounts, rung by their events and when an account or a token of it ends; one that waits costs a timer. */
export class AccountListeners {
  readonly #hung = new Map<string, Set<AccountListener>>()
  readonly #unwatch: () => void

  constructor(store: Pick<Store, 'watch'>) {
    this.#unwatch = store.watch(({ account, messages, events }) => {
      if (events.length > 0 || messages.length === 0) this.#ring(account)
    })
  }

  /** Hangs a bell for an account. */
  add(account: string): AccountListener {
    const all = this.#hung.get(account) ?? new Set()
    this.#hung.set(account, all)
    const bell = createListener(() => {
      all.delete(bell)
      if (all.size === 0 && this.#hung.get(account) === all) this.#hung.delete(account)
    })
    all.add(bell)
    return bell
  }

  /** Rings every bell, and from now on none. */
  close(): void {
    this.#unwatch()
    for (const account of [...this.#hung.keys()]) this.#ring(account)
  }

  #ring(account: string): void {
    for (const bell of this.#hung.get(account) ?? []) bell.notify()
  }
}

function createListener(onRemove: () => void): AccountListener {
  let rung = false
  let wake = (): void => {}
  const ring = (): void => {
    rung = true
    wake()
  }
  return {
    reset: () => {
      rung = false
    },
    wait: async milliseconds => {
      if (!rung) {
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, milliseconds)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return rung
    },
    notify: ring,
    remove: () => {
      onRemove()
      ring()
    },
  }
}
