import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import { PromiseQueue } from '../../../util/async/promise-queue.js'
import { appendToLog } from '../../../util/files/append-log.js'
import { getFailureReason, isMissingFile } from '../../../util/files/file-error.js'
import { readLinesBackward } from '../../../util/files/log-reader.js'
import type { DeliveryLogQuery, DeliveryLogStore } from '../delivery-log-store.js'

export interface DeliveryLogFilesOptions {
  readonly subscriptionExists: (subscription: string) => boolean
  /** Called with one sentence if the delivery log cannot be written. */
  readonly warn?: (sentence: string) => void
}

/** Milliseconds for which logged deliveries are collected before they are written together. */
const batchDelay = 1000
/** Characters of the delivery log that may wait for the disk; further deliveries are dropped. */
const maxWaitingLength = 16 << 20
const extension = '.ndjson'

/**
 * The delivery log in the data directory: a directory for each subscription with a file for each
 * day (UTC), one line of JSON for each delivery. The lines have no checksum and are not synced.
 */
export class DeliveryLogFiles implements DeliveryLogStore {
  readonly #directory: string
  readonly #options: DeliveryLogFilesOptions
  /** Lines to append to the delivery log, by subscription and day. */
  #waiting = new Map<string, Map<string, string>>()
  #waitingLength = 0
  #timer: NodeJS.Timeout | undefined
  readonly #queue = new PromiseQueue()
  #isFailing = false
  #purgedBefore = ''
  #isClosed = false

  constructor(directory: string, options: DeliveryLogFilesOptions) {
    this.#directory = directory
    this.#options = options
  }

  record(delivery: Delivery): void {
    if (this.#isClosed) return
    const line = `${JSON.stringify(delivery)}\n`
    if (this.#waitingLength + line.length > maxWaitingLength) {
      this.#fail('the disk is too slow')
      return
    }
    const days = this.#waiting.get(delivery.subscription) ?? new Map<string, string>()
    const day = formatDay(delivery.at)
    this.#waiting.set(delivery.subscription, days.set(day, (days.get(day) ?? '') + line))
    this.#waitingLength += line.length
    this.#timer ??= setTimeout(() => void this.#flush(), batchDelay)
  }

  async list(subscription: string, query: DeliveryLogQuery): Promise<Delivery[]> {
    await this.#flush()
    const found: Delivery[] = []
    if (!isLogName(subscription)) return found
    const lastDay = getLastDay(query.before)
    for (const day of (await this.#listDays(subscription)).reverse()) {
      if (day > lastDay) continue
      await collectDeliveries(this.#getPath(subscription, day), query, found)
      if (found.length >= query.count) break
    }
    return found
  }

  async purge(before: number): Promise<void> {
    const firstDay = formatDay(before)
    if (firstDay === this.#purgedBefore) return
    await this.#queue.run(async () => {
      for (const subscription of await listNames(this.#directory)) {
        if (!this.#options.subscriptionExists(subscription)) await this.#remove(subscription)
        else await this.#removeDaysBefore(subscription, firstDay)
      }
      this.#purgedBefore = firstDay
    })
  }

  /** Deletes the delivery logs of those of these subscriptions that no longer exist. */
  removeDeletedSubscriptions(subscriptions: readonly string[]): void {
    for (const id of subscriptions) {
      if (this.#options.subscriptionExists(id) || !isLogName(id)) continue
      this.#queue.run(async () => await this.#remove(id)).catch(() => {})
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
    this.#waiting = new Map()
    this.#waitingLength = 0
    let failure: unknown
    for (const [subscription, days] of waiting) {
      if (!isLogName(subscription) || !this.#options.subscriptionExists(subscription)) continue
      for (const [day, text] of days) {
        await appendToLog(this.#getPath(subscription, day), text).catch(error => {
          failure = error
        })
      }
    }
    if (failure !== undefined) this.#fail(getFailureReason(failure))
    else if (waiting.size > 0) this.#isFailing = false
  }

  #fail(reason: string): void {
    if (this.#isFailing) return
    this.#isFailing = true
    this.#options.warn?.(
      `Deliveries cannot be logged in ${this.#directory} (${reason}); some are missing there.`,
    )
  }

  async #removeDaysBefore(subscription: string, firstDay: string): Promise<void> {
    for (const day of await this.#listDays(subscription)) {
      if (day < firstDay) await rm(this.#getPath(subscription, day), { force: true })
    }
  }

  async #remove(subscription: string): Promise<void> {
    await rm(join(this.#directory, subscription), { recursive: true, force: true })
  }

  async #listDays(subscription: string): Promise<string[]> {
    const names = await listNames(join(this.#directory, subscription))
    return names
      .filter(name => name.endsWith(extension))
      .map(name => name.slice(0, -extension.length))
      .sort()
  }

  #getPath(subscription: string, day: string): string {
    return join(this.#directory, subscription, day + extension)
  }
}

/** Adds the deliveries of a log file that match the query to `found`, the newest first. */
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

/** Parses a line of the delivery log; undefined for a torn line. */
function parseDelivery(line: string): Delivery | undefined {
  try {
    return JSON.parse(line) as Delivery
  } catch {
    return undefined
  }
}

async function listNames(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}

/**
 * Whether a subscription can have a delivery log: identifiers of imported data may contain
 * anything.
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
