import { withoutAudit } from '../../audit-scope.js'
import type { StoreChange } from '../../store.js'

interface Listener {
  readonly onChange: (change: StoreChange) => void
  readonly onGap: () => void
}

export class StoreListeners {
  readonly #listeners = new Set<Listener>()

  watch(onChange: (change: StoreChange) => void, onGap = (): void => {}): () => void {
    const listener = { onChange, onGap }
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  notify(change: StoreChange): void {
    this.#call(({ onChange }) => onChange(change))
  }

  notifyGap(): void {
    this.#call(({ onGap }) => onGap())
  }

  /** An error of a store listener must not stop the others, so it is thrown outside of them. */
  #call(run: (listener: Listener) => void): void {
    for (const listener of this.#listeners) {
      try {
        withoutAudit(() => run(listener))
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
