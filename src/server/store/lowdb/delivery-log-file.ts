import { readdir } from 'node:fs/promises'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import { readLinesBackward } from '../../../util/files/log-reader.js'
import type { DeliveryLogQuery } from '../delivery-log-store.js'

/** Adds what a query asks for of a file to what was found, the last line first; a file that is gone has nothing. */
export async function collectDeliveries(
  path: string,
  query: DeliveryLogQuery,
  found: Delivery[],
): Promise<void> {
  const { count, before, failed } = query
  try {
    for await (const line of readLinesBackward(path)) {
      const delivery = parseDelivery(line)
      if (delivery === undefined || (failed && delivery.ok)) continue
      if (before !== undefined && delivery.id >= before) continue
      found.push(delivery)
      if (found.length >= count) return
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** A line that was cut short is no attempt. */
function parseDelivery(line: string): Delivery | undefined {
  try {
    return JSON.parse(line) as Delivery
  } catch {
    return undefined
  }
}

/** The names in a directory; none where there is none. */
export async function listNames(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Identifiers of imported data could be anything; such a subscription has no log. */
export function isLogName(subscription: string): boolean {
  return /^[\w-]{1,100}$/.test(subscription)
}

/** The day of a time in milliseconds since the epoch, in UTC. */
export function formatDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The day of a UUID of version 7; attempts before it are in no later file. */
export function getLatestDay(id: string | undefined): string {
  const time = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id ?? '')
  return time === null ? '9999-12-31' : formatDay(Number.parseInt(`${time[1]}${time[2]}`, 16))
}
