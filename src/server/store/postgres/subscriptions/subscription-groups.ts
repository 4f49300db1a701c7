import type { RelayEvent } from '../../../../domain/webhook/event.js'
import type { Subscription } from '../../../../domain/webhook/subscription.js'
import type { RecordChange } from '../../audit-store.js'
import { toEventName } from '../events/event-code.js'
import { formatNumbers, formatTexts } from '../groups/array-literal.js'
import { Grouper } from '../groups/grouper.js'
import { type RecordContext, runChange, runStatement } from '../records/record-context.js'
import { readSubscriptions, writeSubscriptions } from './subscription-statements.js'

export interface EventRow {
  readonly seq: number
  readonly object: string
  readonly at: number
}

/** A subscription as the database has it, with the first events after its cursor if it is read. */
export interface SubscriptionRow {
  readonly id: string
  readonly account: string
  readonly version: number
  readonly name: number
  readonly cursor: number
  readonly doc: Omit<Subscription, 'id' | 'account' | 'event' | 'cursor'>
  readonly events?: readonly EventRow[] | null
}

export interface SubscriptionWrite {
  readonly id: string
  readonly was: number
  readonly name: number
  readonly cursor: number
  readonly doc: string
  readonly lease: { readonly bucket: number; readonly epoch: number } | undefined
  /** Code of an event to record in the database if another subscription has it. */
  readonly event: number | undefined
  readonly change: RecordChange<'subscription'>
}

export interface SubscriptionWritten {
  readonly isHeld: boolean
  readonly isWritten: boolean
  readonly hasEvent: boolean
}

export class SubscriptionGroups {
  readonly #context: RecordContext
  readonly #reads: Grouper<string, SubscriptionRow | undefined>
  readonly #writes: Grouper<SubscriptionWrite, SubscriptionWritten>

  constructor(context: RecordContext) {
    this.#context = context
    this.#reads = new Grouper({ send: async ids => await this.#sendReads(ids) })
    this.#writes = new Grouper({
      send: async writes => await this.#sendWrites(writes),
      getKey: ({ id }) => id,
    })
  }

  async read(id: string): Promise<SubscriptionRow | undefined> {
    return await this.#reads.add(id)
  }

  async write(write: SubscriptionWrite): Promise<SubscriptionWritten> {
    return await this.#writes.add(write)
  }

  async #sendReads(ids: readonly string[]): Promise<(SubscriptionRow | undefined)[]> {
    const values = [formatTexts(ids)]
    const rows = await runStatement<SubscriptionRow>(this.#context, readSubscriptions, values)
    const byId = new Map(rows.map(row => [row.id, row]))
    return ids.map(id => byId.get(id))
  }

  async #sendWrites(writes: readonly SubscriptionWrite[]): Promise<SubscriptionWritten[]> {
    const values = [
      this.#context.createOperation(),
      this.#context.now(),
      formatTexts(writes.map(({ id }) => id)),
      formatNumbers(writes.map(({ was }) => was)),
      formatNumbers(writes.map(({ name }) => name)),
      formatNumbers(writes.map(({ cursor }) => cursor)),
      formatTexts(writes.map(({ doc }) => doc)),
      formatNumbers(writes.map(({ lease }) => lease?.bucket)),
      formatNumbers(writes.map(({ lease }) => lease?.epoch)),
      formatNumbers(writes.map(({ event }) => event)),
    ]
    const changes = writes.map(({ change }) => change)
    const { rows } = await runChange<SubscriptionWritten>(
      this.#context,
      writeSubscriptions,
      values,
      changes,
      writes.length,
    )
    this.#context.audit?.confirm(changes.filter((_, at) => rows[at]?.isWritten))
    return rows
  }
}

export function toSubscription(row: SubscriptionRow): Subscription {
  const { id, account, name, cursor, doc } = row
  return { id, account, event: toEventName(name), ...doc, cursor }
}

export function toEvent(
  { account, name }: SubscriptionRow,
  { seq, object, at }: EventRow,
): RelayEvent {
  return { seq, account, event: toEventName(name), message: object, at }
}
