import type { Delivery } from '../../../../domain/webhook/delivery.js'
import { DeliveryBatches, type LoggedDelivery } from '../../delivery-batches.js'
import type {
  DeliveryLogQuery,
  DeliveryLogState,
  DeliveryLogStore,
} from '../../delivery-log-store.js'
import type { Statement } from '../connection/statement.js'
import {
  deleteBefore,
  deletedPerStatement,
  deleteOfHour,
  deleteOfSubscription,
  deleteVolume,
  insertDeliveries,
  listDeliveries,
  listFailures,
  readOldest,
  readVolume,
} from './delivery-statements.js'
import { type RecordContext, runStatement } from './record-context.js'

const maxDeliveriesPerStatement = 500
/** Bytes that a node logs before it compares the size of the log with its limit, at most. */
const maxUncheckedBytes = 1 << 20
const minChecksOfLog = 64

const hour = 60 * 60 * 1000
const day = 24 * hour

export interface DeliveryTableOptions {
  readonly maxBytes: number
  readonly warn?: ((sentence: string) => void) | undefined
}

export class PostgresDeliveryLog implements DeliveryLogStore {
  readonly #context: RecordContext
  readonly #options: DeliveryTableOptions
  readonly #batches: DeliveryBatches
  #uncheckedBytes = 0

  constructor(context: RecordContext, options: DeliveryTableOptions) {
    this.#context = context
    this.#options = options
    this.#batches = new DeliveryBatches({
      write: async batch => await this.#write(batch),
      warn: reason =>
        options.warn?.(`Deliveries cannot be logged (${reason}); some are missing in the log.`),
    })
  }

  record(delivery: Delivery): void {
    this.#batches.add(delivery)
  }

  async list(
    subscription: string,
    { count, before, failed }: DeliveryLogQuery,
  ): Promise<Delivery[]> {
    await this.#batches.flush()
    const statement = failed ? listFailures : listDeliveries
    return await this.#read(statement, [subscription, before ?? null, count])
  }

  async purge(before: number): Promise<void> {
    const firstHour = Math.floor(before / day) * (day / hour)
    await this.#batches.run(async () => {
      await this.#deleteAll(deleteBefore, firstHour)
      await runStatement(this.#context, deleteVolume, [firstHour - 1])
      await this.#deleteOldest()
    })
  }

  async getState(): Promise<DeliveryLogState> {
    await this.#batches.flush()
    const { bytes } = await this.#readVolume()
    const [oldest] = await this.#read(readOldest, [])
    const { maxBytes } = this.#options
    return { bytes, maxBytes, ...(oldest === undefined ? {} : { oldestAt: oldest.at }) }
  }

  /** Deletes the logged deliveries of removed subscriptions; what fails expires with the others. */
  removeSubscriptions(ids: readonly string[]): void {
    for (const id of ids) {
      this.#batches.run(async () => await this.#deleteAll(deleteOfSubscription, id)).catch(() => {})
    }
  }

  async close(): Promise<void> {
    await this.#batches.close()
  }

  async #write(batch: readonly LoggedDelivery[]): Promise<void> {
    for (let start = 0; start < batch.length; start += maxDeliveriesPerStatement)
      await this.#insert(batch.slice(start, start + maxDeliveriesPerStatement))
  }

  async #insert(batch: readonly LoggedDelivery[]): Promise<void> {
    const sizes = batch.map(({ text }) => Buffer.byteLength(text))
    const values = [
      batch.map(({ delivery }) => delivery.subscription),
      batch.map(({ delivery }) => delivery.id),
      batch.map(({ delivery }) => Math.floor(delivery.at / hour)),
      batch.map(({ delivery }) => delivery.ok),
      sizes,
      batch.map(({ text }) => text),
    ]
    await runStatement(this.#context, insertDeliveries, values, batch.length)
    for (const bytes of sizes) this.#uncheckedBytes += bytes
    const { maxBytes } = this.#options
    if (this.#uncheckedBytes < Math.min(maxUncheckedBytes, maxBytes / minChecksOfLog)) return
    this.#uncheckedBytes = 0
    await this.#deleteOldest()
  }

  /** Deletes the oldest deliveries until the log is not larger than allowed. */
  async #deleteOldest(): Promise<void> {
    for (;;) {
      const { bytes, hour: oldest } = await this.#readVolume()
      if (bytes <= this.#options.maxBytes || oldest === null) return
      if ((await this.#delete(deleteOfHour, oldest)) === 0) return
      await runStatement(this.#context, deleteVolume, [oldest])
    }
  }

  async #deleteAll(statement: Statement, value: string | number): Promise<void> {
    while ((await this.#delete(statement, value)) === deletedPerStatement);
  }

  async #delete(statement: Statement, value: string | number): Promise<number> {
    const values = [value, deletedPerStatement]
    const [row] = await runStatement<{ deleted: number }>(this.#context, statement, values)
    return row?.deleted ?? 0
  }

  async #readVolume(): Promise<{ readonly bytes: number; readonly hour: number | null }> {
    type Row = { bytes: number; hour: number | null }
    const [row] = await runStatement<Row>(this.#context, readVolume, [])
    return row ?? { bytes: 0, hour: null }
  }

  async #read(statement: Statement, values: readonly unknown[]): Promise<Delivery[]> {
    const rows = await runStatement<{ doc: Delivery }>(this.#context, statement, values)
    return rows.map(({ doc }) => doc)
  }
}
