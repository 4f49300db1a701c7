import type { PhoneEvent } from '../../../phone/events/phone-events.js'
import type { PartsRate } from '../../../phone/rate-limit/parts-rate.js'

/**
 * State of the relay or the driver in the terminal's live view; `since` is in milliseconds since
 * the epoch.
 */
export interface ConnectionStatus {
  readonly state: 'unknown' | 'up' | 'down'
  readonly since: number
  readonly error?: string
}

export interface LiveMessage {
  readonly id: string
  /** Masked recipient in the terminal's live view; undefined for a message of an earlier run. */
  readonly to?: string
  readonly outcome: string
  readonly parts?: number
  readonly error?: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * An error or a received text in the terminal's live view; `at` is in milliseconds since the epoch.
 */
export interface LiveNote {
  readonly at: number
  readonly text: string
}

export interface LiveQueue {
  readonly waiting: number
  readonly due: number
  readonly leased: number
  /** UTC `YYYY-MM-DD HH:MM:SS`. */
  readonly oldest_due_on?: string | null | undefined
}

/**
 * SMS parts that the phone sent within a period, counted in a fixed number of slots (live view).
 */
export interface PartsWindow {
  /** Milliseconds of one slot. */
  readonly slot: number
  readonly last: number
  readonly counts: readonly number[]
}

export interface LiveRate {
  readonly rate: PartsRate
  readonly window: PartsWindow
}

export interface LiveState {
  readonly driver?: string
  readonly relayStatus: ConnectionStatus
  readonly driverStatus: ConnectionStatus
  readonly isIdle: boolean
  /** Milliseconds since the epoch. */
  readonly quietUntil?: number
  /** Rate limit that the next text waits for, in the terminal's live view. */
  readonly rateLimit?: { readonly until: number; readonly limit: string }
  readonly isStopping: boolean
  readonly sent: number
  readonly parts: number
  readonly failed: number
  readonly unknown: number
  /** Texts that the phone sent in the last minute, for its live view. */
  readonly texts: PartsWindow
  /** Parts sent in the last minute. */
  readonly minute: PartsWindow
  readonly rates: readonly LiveRate[]
  /** Newest last. */
  readonly messages: readonly LiveMessage[]
  readonly errors: readonly LiveNote[]
  readonly received: readonly LiveNote[]
  readonly queue?: LiveQueue
}

/**
 * An event that the terminal's live view gets: a phone of a newer version can emit unknown ones.
 */
export type AnyEvent = PhoneEvent | { readonly event: string; readonly id?: string }

export const maxEntries = { messages: 200, notes: 20 } as const
const slotCount = 60

export function createLiveState(rates: readonly PartsRate[], at: number): LiveState {
  const unknown = { state: 'unknown', since: at } as const
  return {
    relayStatus: unknown,
    driverStatus: unknown,
    isIdle: false,
    isStopping: false,
    sent: 0,
    parts: 0,
    failed: 0,
    unknown: 0,
    texts: createWindow(60_000),
    minute: createWindow(60_000),
    messages: [],
    errors: [],
    received: [],
    rates: rates.map(rate => ({ rate, window: createWindow(rate.period) })),
  }
}

export function replaceQueue(
  { queue: _, ...state }: LiveState,
  queue: LiveQueue | undefined,
): LiveState {
  return queue === undefined ? state : { ...state, queue }
}

export function maskNumber(destination: string): string {
  if (destination.length <= 6) return destination
  return `${destination.slice(0, -6)}•••${destination.slice(-3)}`
}

/** Creates a window of counts for the terminal's live view; `period` is in milliseconds. */
export function createWindow(period: number): PartsWindow {
  return { slot: period / slotCount, last: 0, counts: [] }
}

/**
 * Adds sent parts to a window of the terminal's live view; `at` is in milliseconds since the epoch.
 */
export function addParts(window: PartsWindow, parts: number, at: number): PartsWindow {
  const now = Math.max(Math.floor(at / window.slot), window.last)
  const counts = getRecentCounts(window, now)
  return { ...window, last: now, counts: [...counts.slice(0, -1), (counts.at(-1) ?? 0) + parts] }
}

export function countParts(window: PartsWindow, at: number): number {
  const now = Math.max(Math.floor(at / window.slot), window.last)
  return getRecentCounts(window, now).reduce((total, each) => total + each, 0)
}

/**
 * The counts of a live-view window that end in slot `now`, with 0 for each slot since the last
 * count.
 */
function getRecentCounts({ last, counts }: PartsWindow, now: number): readonly number[] {
  const passed = Math.min(now - last, slotCount)
  const added = new Array<number>(counts.length === 0 ? 1 : passed).fill(0)
  return [...counts, ...added].slice(-slotCount)
}
