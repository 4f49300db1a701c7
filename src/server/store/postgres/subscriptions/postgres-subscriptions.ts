// The subscriptions in PostgreSQL.
//
// 1. A change reads the subscription with the first events after its cursor, and decides.
// 2. A decision can ask for other events. If one is not loaded, the question ends the decision;
//    the store loads the event and decides again (known-events).
// 3. The decision is written if the version is still the same, and for a worker if its lease is. In
//    the same statement a pause or its end is recorded (subscription-statements).
// 4. The reads of one turn share a statement, and the writes do (subscription-groups): with many
//    webhooks in flight there are far fewer commits than results.

import type { Account } from '../../../../domain/account/account.js'
import type { EventName, RelayEvent } from '../../../../domain/webhook/event.js'
import type { Subscription } from '../../../../domain/webhook/subscription.js'
import { getPauseEvent, noteUnreported } from '../../../../domain/webhook/subscription-state.js'
import { KeyedQueue } from '../../../../util/async/keyed-queue.js'
import type {
  EventBacklog,
  SubscriptionChangeOptions,
  SubscriptionEvents,
  SubscriptionStore,
} from '../../subscription-store.js'
import type { Statement } from '../connection/statement.js'
import { toEventCode } from '../events/event-code.js'
import { notifyOf, type RecordContext, runChange, runStatement } from '../records/record-context.js'
import { getAccountBucket } from '../workers/account-bucket.js'
import { type EventFact, KnownEvents, MissingEvent } from './known-events.js'
import {
  type EventRow,
  SubscriptionGroups,
  type SubscriptionRow,
  type SubscriptionWritten,
  toEvent,
  toSubscription,
} from './subscription-groups.js'
import {
  type BacklogRow,
  deleteSubscription,
  findEventAfter,
  findEventBefore,
  insertSubscription,
  listAbandoned,
  listSubscriptions,
  listSubscriptionsOf,
  readBacklogs,
  readPlaces,
} from './subscription-statements.js'

type DecideSubscription = (current: Subscription, events: SubscriptionEvents) => Subscription

export interface PostgresSubscriptionsOptions {
  readonly getAccount: (id: string) => Promise<Account | undefined>
  readonly onRemoved: (ids: readonly string[]) => void
}

export class PostgresSubscriptions implements SubscriptionStore {
  readonly #context: RecordContext
  readonly #options: PostgresSubscriptionsOptions
  readonly #groups: SubscriptionGroups
  /** Changes of one subscription by this process follow each other, instead of losing races. */
  readonly #queue = new KeyedQueue()

  constructor(context: RecordContext, options: PostgresSubscriptionsOptions) {
    this.#context = context
    this.#options = options
    this.#groups = new SubscriptionGroups(context)
  }

  async get(id: string): Promise<Subscription | undefined> {
    const row = await this.#groups.read(id)
    return row && toSubscription(row)
  }

  async list(account?: string): Promise<Subscription[]> {
    if (account === undefined) return await this.#list(listSubscriptions, [])
    return await this.#list(listSubscriptionsOf, [account])
  }

  async create(
    draft: Omit<Subscription, 'cursor'>,
    check?: (count: number) => void,
  ): Promise<Subscription> {
    const { id, account, event, createdAt } = draft
    for (;;) {
      const rows = await runStatement<{ place: number }>(this.#context, readPlaces, [account])
      check?.(rows.length)
      const place = findFreePlace(new Set(rows.map(row => row.place)))
      const op = this.#context.createOperation()
      const values = [id, op, account, place, toEventCode(event), createdAt, toDoc(draft)]
      const after = { ...draft, cursor: 0 }
      const changes = [{ kind: 'subscription', before: undefined, after }] as const
      const { rows: inserted } = await runChange<{ cursor: number }>(
        this.#context,
        insertSubscription,
        values,
        changes,
      )
      if (inserted[0] === undefined) continue
      this.#context.audit?.confirm(changes)
      notifyOf(this.#context, account, { subscriptions: [id] })
      return { ...draft, cursor: inserted[0].cursor }
    }
  }

  async change(
    id: string,
    decide: DecideSubscription,
    options: SubscriptionChangeOptions = {},
  ): Promise<Subscription | undefined> {
    return await this.#queue.run(id, async () => await this.#change(id, decide, options))
  }

  async listAbandoned(before: number): Promise<string[]> {
    const rows = await runStatement<{ id: string }>(this.#context, listAbandoned, [before])
    return rows.map(({ id }) => id)
  }

  async listBacklogs(): Promise<EventBacklog[]> {
    const rows = await runStatement<BacklogRow>(this.#context, readBacklogs, [])
    return rows.map(({ state, events, oldest }) => ({
      ...{ state, events },
      ...(oldest === null ? {} : { oldestAt: oldest }),
    }))
  }

  async remove(id: string, check?: (current: Subscription) => void): Promise<boolean> {
    for (;;) {
      const row = await this.#groups.read(id)
      if (row === undefined) return false
      check?.(toSubscription(row))
      if (await this.#delete(row, check && row.version)) {
        this.#options.onRemoved([id])
        notifyOf(this.#context, row.account, { subscriptions: [id] })
        return true
      }
    }
  }

  async #delete(row: SubscriptionRow, version: number | undefined): Promise<boolean> {
    const before = toSubscription(row)
    const changes = [{ kind: 'subscription', before, after: undefined }] as const
    const values = [row.id, version ?? null]
    const { rows, runs } = await runChange(this.#context, deleteSubscription, values, changes)
    // After a lost reply the row may be gone because the first run has deleted it.
    const isGone = rows.length > 0 || (runs > 1 && (await this.get(row.id)) === undefined)
    if (isGone) this.#context.audit?.confirm(changes)
    return isGone
  }

  async #change(
    id: string,
    decide: DecideSubscription,
    options: SubscriptionChangeOptions,
  ): Promise<Subscription | undefined> {
    for (;;) {
      const row = await this.#groups.read(id)
      if (row === undefined) return undefined
      const current = toSubscription(row)
      const decided = await this.#decide(row, current, decide)
      if (decided === current) return current
      const event = getPauseEvent(current, decided)
      const changed = event
        ? noteUnreported(decided, await this.#options.getAccount(current.account))
        : decided
      const { isHeld, isWritten, hasEvent } = await this.#write(
        row,
        [current, changed],
        event,
        options,
      )
      if (isWritten) {
        const events = event !== undefined && hasEvent ? [event] : []
        if (options.notify === true || event !== undefined)
          notifyOf(this.#context, current.account, { subscriptions: [id], events })
        return changed
      }
      if (!isHeld) return undefined
    }
  }

  async #decide(
    row: SubscriptionRow,
    current: Subscription,
    decide: DecideSubscription,
  ): Promise<Subscription> {
    const near = (row.events ?? []).map(each => toEvent(row, each))
    const known = new KnownEvents(row.cursor, near)
    for (;;) {
      try {
        return decide(current, known)
      } catch (error) {
        if (!(error instanceof MissingEvent)) throw error
        known.add(error.fact, await this.#findEvent(row, error.fact))
      }
    }
  }

  async #findEvent(
    row: SubscriptionRow,
    { side, seq }: EventFact,
  ): Promise<RelayEvent | undefined> {
    const statement = side === 'after' ? findEventAfter : findEventBefore
    const values = [row.account, row.name, seq]
    const [found] = await runStatement<EventRow>(this.#context, statement, values)
    return found && toEvent(row, found)
  }

  async #write(
    { id, account, version: was }: SubscriptionRow,
    [before, changed]: readonly [Subscription, Subscription],
    event: EventName | undefined,
    { lease }: SubscriptionChangeOptions,
  ): Promise<SubscriptionWritten> {
    return await this.#groups.write({
      ...{ id, was, name: toEventCode(changed.event), cursor: changed.cursor, doc: toDoc(changed) },
      lease: lease && { bucket: getAccountBucket(account), epoch: lease.epoch },
      event: event && toEventCode(event),
      change: { kind: 'subscription', before, after: changed },
    })
  }

  async #list(statement: Statement, values: readonly unknown[]): Promise<Subscription[]> {
    return (await runStatement<SubscriptionRow>(this.#context, statement, values)).map(
      toSubscription,
    )
  }
}

function findFreePlace(used: ReadonlySet<number>): number {
  let place = 1
  while (used.has(place)) place += 1
  return place
}

function toDoc(subscription: Omit<Subscription, 'cursor'>): string {
  const { id, account, event, ...doc } = subscription
  return JSON.stringify({ ...doc, cursor: undefined })
}
