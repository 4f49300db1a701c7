import type { Clock } from '../../../util/async/clock.js'
import { createSecret } from '../../../util/crypto/secrets.js'
import type { Store } from '../../store/store.js'

/**
 * Knows when this node learned of the last change of each account, for those who read something and
 * listen to changes a moment later, perhaps at another node.
 */
export class ChangeTimes {
  readonly #clock: Pick<Clock, 'monotonic'>
  /** Tells the marks of this node from those of others, and from those before a restart. */
  readonly #node = createSecret()
  readonly #times = new Map<string, number>()
  #timeOfAll = Number.NEGATIVE_INFINITY
  readonly #unwatch: () => void

  constructor(store: Pick<Store, 'watch'>, clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
    this.#unwatch = store.watch(
      ({ account }) => this.#times.set(account, clock.monotonic()),
      () => {
        this.#timeOfAll = clock.monotonic()
      },
    )
  }

  /** Marks the present moment at this node of the services, as a text. */
  mark(): string {
    return `${this.#node}.${Math.floor(this.#clock.monotonic())}`
  }

  /** Whether an account may have changed since a mark; true for one of another node. */
  hasChanged(account: string, mark: string): boolean {
    const [node, time = ''] = mark.split('.')
    if (node !== this.#node || !/^\d+$/.test(time)) return true
    const own = this.#times.get(account) ?? Number.NEGATIVE_INFINITY
    return Math.max(own, this.#timeOfAll) >= Number(time)
  }

  close(): void {
    this.#unwatch()
  }
}
