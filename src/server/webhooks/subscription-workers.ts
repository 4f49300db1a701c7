import type { Subscription } from '../../domain/webhook/subscription.js'
import type { Notice } from '../services/webhooks/next-delivery.js'
import { Roster } from './roster.js'
import { Lane } from './subscription-worker.js'
import { insist, type LaneContext } from './webhook-context.js'

/** A lane for each subscription, following what the store tells. */
export class Lanes {
  readonly #context: LaneContext
  readonly #roster = new Roster()
  /** Identifiers of subscriptions that have no lane yet. */
  readonly #unknown = new Set<string>()
  #adopting = false

  constructor(context: LaneContext) {
    this.#context = context
  }

  /** Starts a lane for each of these subscriptions that has none. */
  adopt(subscriptions: readonly Subscription[]): void {
    for (const subscription of subscriptions) this.of(subscription)
  }

  /** The lane of a subscription, started if there is none. */
  of(subscription: Subscription): Lane {
    const known = this.#roster.get(subscription.account, subscription.id)
    if (known !== undefined) return known
    const lane = new Lane(this.#context, subscription, gone => this.#roster.remove(gone))
    this.#roster.add(lane)
    lane.wake()
    return lane
  }

  /** Wakes the lanes that a notice concerns, and starts those of new subscriptions. */
  follow({ account, events, subscriptions }: Notice): void {
    for (const lane of this.#roster.concerned(account, events)) lane.stir()
    for (const id of subscriptions) {
      const lane = this.#roster.get(account, id)
      if (lane === undefined) this.#unknown.add(id)
      else lane.wake()
    }
    if (this.#unknown.size > 0 && !this.#adopting) {
      void this.#context.activity.during(() => this.#adoptUnknown())
    }
  }

  /** Makes every lane stop waiting for its retry. */
  sleep(): void {
    for (const lane of this.#roster.all()) lane.sleep()
  }

  async #adoptUnknown(): Promise<void> {
    this.#adopting = true
    for (const id of this.#unknown) {
      this.#unknown.delete(id)
      const { store } = this.#context
      const found = await insist(this.#context, () => store.subscriptions.get(id))
      if (found !== undefined) this.of(found)
    }
    this.#adopting = false
  }
}
