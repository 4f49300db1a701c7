// The delivery log of the embedded store: files for people to read, which need not be durable.
//
// 1. `record` appends a delivery to the file of its subscription and day, and never waits.
// 2. `list` reads the files of a subscription backward, from the newest day on.
// 3. Files that are too old, of removed subscriptions, or the oldest above the limit are deleted.
//
// `delivery-log-index` knows the files, their sizes and days.
import type { Delivery } from '../../../../domain/webhook/delivery.js'
import { appendToLog } from '../../../../util/files/append-log.js'
import { getFailureReason, isMissingFile } from '../../../../util/files/file-error.js'
import { readLinesBackward } from '../../../../util/files/log-reader.js'
import { DeliveryBatches, type LoggedDelivery } from '../../delivery-batches.js'
import type {
  DeliveryLogQuery,
  DeliveryLogState,
  DeliveryLogStore,
} from '../../delivery-log-store.js'
import { DeliveryLogIndex, getDay, listNames } from './delivery-log-index.js'

export interface DeliveryLogFilesOptions {
  readonly subscriptionExists: (subscription: string) => boolean
  /** Bytes of the delivery log above which the store deletes its oldest files. */
  readonly maxBytes: number
  readonly warn?: (sentence: string) => void
}

/**
 * Bytes after which the store begins another file for a day of the delivery log, so that there is
 * always a small oldest file.
 */
const maxFileBytes = 1 << 20
const minFilesOfLog = 64

/**
 * The delivery log in the data directory: a directory for each subscription with files for each
 * day (UTC), one line of JSON for each delivery. The lines have no checksum and are not synced.
 * When the log exceeds its size, its oldest files are deleted, those of the last day by the time
 * of their last delivery.
 */
export class DeliveryLogFiles implements DeliveryLogStore {
  readonly #directory: string
  readonly #options: DeliveryLogFilesOptions
  readonly #batches: DeliveryBatches
  #purgedBefore = ''
  #index: Promise<DeliveryLogIndex> | undefined

  constructor(directory: string, options: DeliveryLogFilesOptions) {
    this.#directory = directory
    this.#options = options
    this.#batches = new DeliveryBatches({
      write: async batch => await this.#write(batch),
      warn: reason =>
        options.warn?.(
          `Deliveries cannot be logged in ${directory} (${reason}); some are missing there.`,
        ),
    })
  }

  record(delivery: Delivery): void {
    this.#batches.add(delivery)
  }

  async list(subscription: string, query: DeliveryLogQuery): Promise<Delivery[]> {
    await this.#batches.flush()
    const found: Delivery[] = []
    if (!isLogName(subscription)) return found
    const lastDay = getLastDay(query.before)
    const index = await this.#getIndex()
    for (const name of index.listNames(subscription).reverse()) {
      if (getDay({ name }) > lastDay) continue
      await collectDeliveries(index.getPath({ subscription, name }), query, found)
      if (found.length >= query.count) break
    }
    return found
  }

  async purge(before: number): Promise<void> {
    const firstDay = formatDay(before)
    if (firstDay === this.#purgedBefore) return
    await this.#batches.run(async () => {
      for (const subscription of await listNames(this.#directory)) {
        if (!this.#options.subscriptionExists(subscription)) await this.#remove(subscription)
      }
      await this.#deleteOldest(({ oldest }) => oldest !== undefined && getDay(oldest) < firstDay)
      this.#purgedBefore = firstDay
    })
  }

  async getState(): Promise<DeliveryLogState> {
    await this.#batches.flush()
    const index = await this.#getIndex()
    const { bytes, oldest } = index
    const oldestAt = oldest && (await index.readFirstTime(oldest))
    const { maxBytes } = this.#options
    return { bytes, maxBytes, ...(oldestAt === undefined ? {} : { oldestAt }) }
  }

  removeDeletedSubscriptions(subscriptions: readonly string[]): void {
    for (const id of subscriptions) {
      if (this.#options.subscriptionExists(id) || !isLogName(id)) continue
      this.#batches.run(async () => await this.#remove(id)).catch(() => {})
    }
  }

  async close(): Promise<void> {
    await this.#batches.close()
  }

  /** Writes what can be written, and throws the last failure. */
  async #write(batch: readonly LoggedDelivery[]): Promise<void> {
    let failure: unknown
    const note = (error: unknown): void => {
      failure = error
    }
    for (const [subscription, days] of groupByDay(batch)) {
      if (!isLogName(subscription) || !this.#options.subscriptionExists(subscription)) continue
      for (const [day, text] of days) await this.#append(subscription, day, text).catch(note)
    }
    await this.#deleteOldest(({ bytes }) => bytes > this.#options.maxBytes).catch(note)
    if (failure !== undefined) throw new Error(getFailureReason(failure), { cause: failure })
  }

  async #append(subscription: string, day: string, text: string): Promise<void> {
    const index = await this.#getIndex()
    const { maxBytes } = this.#options
    const fileBytes = Math.min(maxFileBytes, Math.floor(maxBytes / minFilesOfLog))
    for (const part of splitLines(text, fileBytes)) {
      const name = index.chooseName(subscription, day, fileBytes)
      await appendToLog(index.getPath({ subscription, name }), part)
      index.add(subscription, name, Buffer.byteLength(part), Date.now())
    }
  }

  async #deleteOldest(mustDelete: (index: DeliveryLogIndex) => boolean): Promise<void> {
    const index = await this.#getIndex()
    while (mustDelete(index) && index.oldest !== undefined) await index.remove(index.oldest)
  }

  async #getIndex(): Promise<DeliveryLogIndex> {
    this.#index ??= DeliveryLogIndex.read(this.#directory)
    try {
      return await this.#index
    } catch (error) {
      this.#index = undefined
      throw error
    }
  }

  async #remove(subscription: string): Promise<void> {
    await (await this.#getIndex()).removeSubscription(subscription)
  }
}

/** The lines of the store's log by subscription and day (UTC). */
function groupByDay(batch: readonly LoggedDelivery[]): Map<string, Map<string, string>> {
  const all = new Map<string, Map<string, string>>()
  for (const { delivery, text } of batch) {
    const days = all.get(delivery.subscription) ?? new Map<string, string>()
    const day = formatDay(delivery.at)
    all.set(delivery.subscription, days.set(day, `${days.get(day) ?? ''}${text}\n`))
  }
  return all
}

async function collectDeliveries(
  path: string,
  { count, before, failed }: DeliveryLogQuery,
  found: Delivery[],
): Promise<void> {
  try {
    for await (const line of readLinesBackward(path)) {
      const delivery = parseDelivery(line)
      if (delivery === undefined || (failed && delivery.ok)) continue
      if (before !== undefined && delivery.id >= before) continue
      found.push(delivery)
      if (found.length >= count) return
    }
  } catch (error) {
    if (!isMissingFile(error)) throw error
  }
}

function* splitLines(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const last = text.lastIndexOf('\n', start + length - 1)
    const end = last >= start ? last + 1 : text.indexOf('\n', start) + 1
    yield text.slice(start, end)
    start = end
  }
}

function parseDelivery(line: string): Delivery | undefined {
  try {
    return JSON.parse(line) as Delivery
  } catch {
    return undefined
  }
}

/**
 * Whether the store can have a delivery log of a subscription: identifiers of imported data may
 * contain anything.
 */
function isLogName(subscription: string): boolean {
  return /^[\w-]{1,100}$/.test(subscription)
}

function formatDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/**
 * The last day of logged deliveries before `id`: the day of its time, if it is a UUID of version 7.
 */
function getLastDay(id: string | undefined): string {
  const time = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id ?? '')
  return time === null ? '9999-12-31' : formatDay(Number.parseInt(`${time[1]}${time[2]}`, 16))
}
