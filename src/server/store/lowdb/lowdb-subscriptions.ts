import { type EventName, eventNames, type RelayEvent } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import {
  getPauseEvent,
  getSubscriptionState,
  noteUnreported,
} from '../../../domain/webhook/subscription-state.js'
import type { EventPage, EventQuery, EventStore } from '../event-store.js'
import type {
  EventBacklog,
  SubscriptionChangeOptions,
  SubscriptionEvents,
  SubscriptionStore,
} from '../subscription-store.js'
import { deleteOldEvents } from './delete-old-events.js'
import type { Transactions } from './engine/engine.js'
import { buildEventListKey } from './indexes/event-index.js'

export class LowdbSubscriptions implements SubscriptionStore {
  readonly #engine: Transactions
  readonly #now: () => number

  constructor(engine: Transactions, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  async get(id: string): Promise<Subscription | undefined> {
    return await this.#engine.read(() => this.#engine.data.subscription.get(id))
  }

  async list(account?: string): Promise<Subscription[]> {
    const { data } = this.#engine
    return await this.#engine.read(() =>
      account === undefined
        ? [...data.subscription.values()].sort((a, b) => a.createdAt - b.createdAt)
        : this.#listOwn(account),
    )
  }

  async create(
    draft: Omit<Subscription, 'cursor'>,
    check?: (count: number) => void,
  ): Promise<Subscription> {
    return await this.#engine.transact(transaction => {
      check?.(this.#engine.indexes.owned.subscription.count(draft.account))
      const subscription = { ...draft, cursor: this.#engine.indexes.events.lastSeq }
      transaction.put('subscription', subscription.id, subscription)
      transaction.notify(subscription.account).subscriptions.push(subscription.id)
      return subscription
    })
  }

  async change(
    id: string,
    decide: (subscription: Subscription, events: SubscriptionEvents) => Subscription,
    { notify = false }: SubscriptionChangeOptions = {},
  ): Promise<Subscription | undefined> {
    return await this.#engine.transact(transaction => {
      const current = transaction.get('subscription', id)
      if (current === undefined) return undefined
      const decided = decide(current, this.#findEvents(current))
      if (decided === current) return current
      const event = getPauseEvent(current, decided)
      const account = transaction.get('account', current.account)
      const changed = event ? noteUnreported(decided, account) : decided
      transaction.put('subscription', id, changed)
      if (notify || event) transaction.notify(current.account).subscriptions.push(id)
      if (event && this.#hasOtherListener(changed, event)) {
        transaction.recordEvent(current.account, event, id, this.#now())
      }
      return changed
    })
  }

  async listAbandoned(before: number): Promise<string[]> {
    const { data } = this.#engine
    return await this.#engine.read(() =>
      [...data.subscription.values()]
        .filter(({ listener }) => listener !== undefined && listener.seenAt < before)
        .map(({ id }) => id),
    )
  }

  async listBacklogs(): Promise<EventBacklog[]> {
    const { data, indexes } = this.#engine
    return await this.#engine.read(() =>
      [...data.subscription.values()].map(subscription => {
        const { account, event, cursor } = subscription
        const [first] = indexes.events.listAfter(account, event, cursor, 1)
        return {
          state: getSubscriptionState(subscription),
          events: indexes.events.countAfter(account, event, cursor),
          ...(first === undefined ? {} : { oldestAt: first.at }),
        }
      }),
    )
  }

  async remove(id: string, check?: (current: Subscription) => void): Promise<boolean> {
    return await this.#engine.transact(transaction => {
      const subscription = transaction.get('subscription', id)
      if (subscription === undefined) return false
      check?.(subscription)
      transaction.put('subscription', id, null)
      transaction.notify(subscription.account).subscriptions.push(id)
      return true
    })
  }

  #listOwn(account: string): Subscription[] {
    const { data, indexes } = this.#engine
    const ids = indexes.owned.subscription.listAfter(account)
    return ids.map(id => data.subscription.get(id)).filter(found => found !== undefined)
  }

  /** The store records no event that nobody waits for: most accounts never subscribe to pauses. */
  #hasOtherListener({ id, account }: Subscription, event: EventName): boolean {
    return this.#listOwn(account).some(each => each.event === event && each.id !== id)
  }

  #findEvents({ account, event }: Subscription): SubscriptionEvents {
    const { events } = this.#engine.indexes
    return {
      next: seq => events.listAfter(account, event, seq, 1)[0],
      previous: seq => events.findBefore(account, event, seq),
    }
  }
}

export class LowdbEvents implements EventStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async listAfter(
    account: string,
    event: EventName,
    seq: number,
    count: number,
  ): Promise<RelayEvent[]> {
    const { events } = this.#engine.indexes
    return await this.#engine.read(() => events.listAfter(account, event, seq, count))
  }

  async findBefore(
    account: string,
    event: EventName,
    seq: number,
  ): Promise<RelayEvent | undefined> {
    const { events } = this.#engine.indexes
    return await this.#engine.read(() => events.findBefore(account, event, seq))
  }

  async getPage(query: EventQuery): Promise<EventPage> {
    const { data, indexes } = this.#engine
    const removed = (name: EventName): number =>
      data.meta.get(buildEventListKey(query.account, name))?.seq ?? 0
    return await this.#engine.read(() => ({
      events: indexes.events.getPage(query),
      lastSeq: Math.max(indexes.events.getLastSeq(query.account), ...eventNames.map(removed)),
      lastRemovedSeq: Math.max(...(query.names ?? eventNames).map(removed)),
    }))
  }

  purge(before: number, maxPerName: number): AsyncGenerator<number> {
    return deleteOldEvents(this.#engine, before, maxPerName)
  }
}
