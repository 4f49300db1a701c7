import type { EventName } from '../../domain/webhook/event.js'
import type { Lane } from './subscription-worker.js'

/** The lanes of a dispatcher, found by account. */
export class Roster {
  readonly #accounts = new Map<string, Map<string, Lane>>()

  /** Every lane. */
  all(): Lane[] {
    return [...this.#accounts.values()].flatMap(lanes => [...lanes.values()])
  }

  /** The lanes of an account. */
  of(account: string): Lane[] {
    return [...(this.#accounts.get(account)?.values() ?? [])]
  }

  /** The lanes of an account that one of these events concerns. */
  concerned(account: string, events: readonly EventName[]): Lane[] {
    return this.of(account).filter(lane => events.includes(lane.subscription.event))
  }

  /** The lane of a subscription. */
  get(account: string, id: string): Lane | undefined {
    return this.#accounts.get(account)?.get(id)
  }

  /** Adds a lane. */
  add(lane: Lane): void {
    const { account, id } = lane.subscription
    const lanes = this.#accounts.get(account) ?? new Map<string, Lane>()
    this.#accounts.set(account, lanes.set(id, lane))
  }

  /** Removes a lane. */
  remove(lane: Lane): void {
    const { account, id } = lane.subscription
    const lanes = this.#accounts.get(account)
    lanes?.delete(id)
    if (lanes?.size === 0) this.#accounts.delete(account)
  }
}
