import type { Store } from '../../store/store.js'

/** Tells one waiter that something was recorded. */
export interface Bell {
  /** Forgets what rang before. */
  silence(): void
  /** Resolves to true when it rings or has rung since it was silenced, to false after so many milliseconds. */
  rings(milliseconds: number): Promise<boolean>
  /** Rings this one. */
  ring(): void
  /** Takes it down; whoever waits goes on. */
  remove(): void
}

/** Bells of accounts, rung by their events and when an account or a token of it ends; one that waits costs a timer. */
export class Bells {
  readonly #hung = new Map<string, Set<Bell>>()
  readonly #unwatch: () => void

  constructor(store: Pick<Store, 'watch'>) {
    this.#unwatch = store.watch(({ account, messages, events }) => {
      if (events.length > 0 || messages.length === 0) this.#ring(account)
    })
  }

  /** Hangs a bell for an account. */
  hang(account: string): Bell {
    const all = this.#hung.get(account) ?? new Set()
    this.#hung.set(account, all)
    const bell = newBell(() => {
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
    for (const bell of this.#hung.get(account) ?? []) bell.ring()
  }
}

function newBell(onRemove: () => void): Bell {
  let rung = false
  let wake = (): void => {}
  const ring = (): void => {
    rung = true
    wake()
  }
  return {
    silence: () => {
      rung = false
    },
    rings: async milliseconds => {
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
    ring,
    remove: () => {
      onRemove()
      ring()
    },
  }
}
