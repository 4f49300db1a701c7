import type { Delivery } from '../../../../domain/webhook/delivery.js'
import { errorText } from '../../../../errors.js'
import { PromiseQueue } from '../../../../util/async/promise-queue.js'
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

/** Milliseconds for which logged deliveries are collected before they are stored together. */
const batchDelay = 1000
const maxWaitingLength = 16 << 20
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

interface WaitingDelivery {
  readonly delivery: Delivery
  readonly doc: string
}

export class PostgresDeliveryLog implements DeliveryLogStore {
  readonly #context: RecordContext
  readonly #options: DeliveryTableOptions
  #waiting: WaitingDelivery[] = []
  #waitingLength = 0
  #uncheckedBytes = 0
  #timer: NodeJS.Timeout | undefined
  readonly #queue = new PromiseQueue()
  #isFailing = false
  #isClosed = false

  constructor(context: RecordContext, options: DeliveryTableOptions) {
    this.#context = context
    this.#options = options
  }

  record(delivery: Delivery): void {
    if (this.#isClosed) return
    const doc = JSON.stringify(delivery)
    if (this.#waitingLength + doc.length > maxWaitingLength) {
      this.#fail('the database is too slow')
      return
    }
    this.#waiting.push({ delivery, doc })
    this.#waitingLength += doc.length
    this.#timer ??= setTimeout(() => void this.#flush(), batchDelay)
  }

  async list(
    subscription: string,
    { count, before, failed }: DeliveryLogQuery,
  ): Promise<Delivery[]> {
    await this.#flush()
    const statement = failed ? listFailures : listDeliveries
    return await this.#read(statement, [subscription, before ?? null, count])
  }

  async purge(before: number): Promise<void> {
    const firstHour = Math.floor(before / day) * (day / hour)
    await this.#queue.run(async () => {
      await this.#deleteAll(deleteBefore, firstHour)
      await runStatement(this.#context, deleteVolume, [firstHour - 1])
      await this.#deleteOldest()
    })
  }

  async getState(): Promise<DeliveryLogState> {
    await this.#flush()
    const { bytes } = await this.#readVolume()
    const [oldest] = await this.#read(readOldest, [])
    const { maxBytes } = this.#options
    return { bytes, maxBytes, ...(oldest === undefined ? {} : { oldestAt: oldest.at }) }
  }

  /** Deletes the logged deliveries of removed subscriptions; what fails expires with the others. */
  removeSubscriptions(ids: readonly string[]): void {
    for (const id of ids) {
      this.#queue.run(async () => await this.#deleteAll(deleteOfSubscription, id)).catch(() => {})
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#flush()
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#queue.run(async () => await this.#write())
  }

  async #write(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingLength = 0
    try {
      for (let start = 0; start < waiting.length; start += maxDeliveriesPerStatement)
        await this.#insert(waiting.slice(start, start + maxDeliveriesPerStatement))
      if (waiting.length > 0) this.#isFailing = false
    } catch (error) {
      this.#fail(errorText(error))
    }
  }

  async #insert(waiting: readonly WaitingDelivery[]): Promise<void> {
    const sizes = waiting.map(({ doc }) => Buffer.byteLength(doc))
    const values = [
      waiting.map(({ delivery }) => delivery.subscription),
      waiting.map(({ delivery }) => delivery.id),
      waiting.map(({ delivery }) => Math.floor(delivery.at / hour)),
      waiting.map(({ delivery }) => delivery.ok),
      sizes,
      waiting.map(({ doc }) => doc),
    ]
    await runStatement(this.#context, insertDeliveries, values, waiting.length)
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

  #fail(reason: string): void {
    if (this.#isFailing) return
    this.#isFailing = true
    this.#options.warn?.(`Deliveries cannot be logged (${reason}); some are missing in the log.`)
  }
}
