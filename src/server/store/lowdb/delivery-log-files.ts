import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import { appendToLog } from '../../../util/files/append-log.js'
import type { DeliveryLogQuery, DeliveryLogStore } from '../delivery-log-store.js'
import {
  collectDeliveries,
  formatDay,
  getLatestDay,
  isLogName,
  listNames,
} from './delivery-log-file.js'

/** Options of {@link DeliveryFiles}. */
export interface DeliveryLogFilesOptions {
  /** Whether there is a subscription of that identifier. */
  readonly subscriptionExists: (subscription: string) => boolean
  /** Told in one sentence that nothing can be written. */
  readonly warn?: (sentence: string) => void
}

/** Milliseconds after which what was recorded is written, together. */
const batchDelay = 1000
/** Characters that wait to be written; what comes on top is dropped. */
const maxWaitingLength = 16 << 20
const extension = '.ndjson'

/**
 * A {@link DeliveryLog} in a directory: for each subscription a directory, in it a file for each day (UTC), with a
 * line of JSON for each attempt. Lines are written in batches and not synced; a torn one is not shown.
 */
export class DeliveryLogFiles implements DeliveryLogStore {
  readonly #directory: string
  readonly #options: DeliveryLogFilesOptions
  /** Text to append, by subscription and day. */
  #waiting = new Map<string, Map<string, string>>()
  #size = 0
  #timer: NodeJS.Timeout | undefined
  /** The last of what is done to the files, one after the other. */
  #last: Promise<void> = Promise.resolve()
  #isTroubled = false
  #purgedBefore = ''
  #closed = false

  constructor(directory: string, options: DeliveryLogFilesOptions) {
    this.#directory = directory
    this.#options = options
  }

  record(delivery: Delivery): void {
    if (this.#closed) return
    const line = `${JSON.stringify(delivery)}\n`
    if (this.#size + line.length > maxWaitingLength) {
      this.#troubled('more is to be written than the disk takes')
      return
    }
    const days = this.#waiting.get(delivery.subscription) ?? new Map<string, string>()
    const day = formatDay(delivery.at)
    this.#waiting.set(delivery.subscription, days.set(day, (days.get(day) ?? '') + line))
    this.#size += line.length
    this.#timer ??= setTimeout(() => void this.#flush(), batchDelay)
  }

  async list(subscription: string, query: DeliveryLogQuery): Promise<Delivery[]> {
    await this.#flush()
    const found: Delivery[] = []
    if (!isLogName(subscription)) return found
    const latest = getLatestDay(query.before)
    for (const day of (await this.#daysOf(subscription)).reverse()) {
      if (day > latest) continue
      await collectDeliveries(this.#file(subscription, day), query, found)
      if (found.length >= query.count) break
    }
    return found
  }

  async purge(before: number): Promise<void> {
    const first = formatDay(before)
    if (first === this.#purgedBefore) return
    await this.#inTurn(async () => {
      for (const subscription of await listNames(this.#directory)) {
        if (this.#options.subscriptionExists(subscription))
          await this.#purgeOne(subscription, first)
        else await this.#remove(subscription)
      }
      this.#purgedBefore = first
    })
  }

  /** Removes what belongs to those of these subscriptions that are gone. */
  removeDeletedSubscriptions(subscriptions: readonly string[]): void {
    for (const id of subscriptions) {
      if (this.#options.subscriptionExists(id) || !isLogName(id)) continue
      this.#inTurn(async () => await this.#remove(id)).catch(() => {})
    }
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#flush()
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#inTurn(async () => await this.#write())
  }

  async #write(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = new Map()
    this.#size = 0
    let trouble: unknown
    for (const [subscription, days] of waiting) {
      if (!isLogName(subscription) || !this.#options.subscriptionExists(subscription)) continue
      for (const [day, text] of days) {
        await appendToLog(this.#file(subscription, day), text).catch(error => {
          trouble = error
        })
      }
    }
    if (trouble !== undefined) this.#troubled(String((trouble as Error).message))
    else if (waiting.size > 0) this.#isTroubled = false
  }

  /** Says it once, until something could be written again. */
  #troubled(why: string): void {
    if (this.#isTroubled) return
    this.#isTroubled = true
    this.#options.warn?.(
      `Attempts at deliveries cannot be logged in ${this.#directory} and are left out: ${why}.`,
    )
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    await done
  }

  async #purgeOne(subscription: string, first: string): Promise<void> {
    for (const day of await this.#daysOf(subscription)) {
      if (day < first) await rm(this.#file(subscription, day), { force: true })
    }
  }

  async #remove(subscription: string): Promise<void> {
    await rm(join(this.#directory, subscription), { recursive: true, force: true })
  }

  async #daysOf(subscription: string): Promise<string[]> {
    const found = await listNames(join(this.#directory, subscription))
    return found
      .filter(name => name.endsWith(extension))
      .map(name => name.slice(0, -extension.length))
      .sort()
  }

  #file(subscription: string, day: string): string {
    return join(this.#directory, subscription, day + extension)
  }
}
