import type { PhoneEvent } from '../../../phone/events/phone-events.js'
import type { PartsRate } from '../../../phone/rate-limit/parts-rate.js'
import { createWindow, type PartsWindow } from './parts-window.js'

/** Something that works or does not, and since when in milliseconds since the epoch. */
export interface ConnectionStatus {
  readonly state: 'unknown' | 'well' | 'away'
  readonly since: number
  readonly error?: string
}

/** A message on the screen. */
export interface LiveMessage {
  readonly id: string
  /** Masked; absent when an earlier run had it. */
  readonly to?: string
  readonly outcome: string
  readonly parts?: number
  readonly error?: string
  /** When that was known, in milliseconds since the epoch. */
  readonly at: number
}

/** A line that stays for a while: an error, or a text that came in. */
export interface LiveNote {
  readonly at: number
  readonly text: string
}

/** What waits at the relay. */
export interface LiveQueue {
  readonly waiting: number
  readonly due: number
  readonly leased: number
  /** UTC `YYYY-MM-DD HH:MM:SS`. */
  readonly oldest_due_on?: string | null | undefined
}

/** A limit, and what was sent under it. */
export interface LiveRate {
  readonly rate: PartsRate
  readonly window: PartsWindow
}

/** All that the live view shows; of a size that does not grow. */
export interface LiveState {
  readonly driver?: string
  readonly relay: ConnectionStatus
  readonly gateway: ConnectionStatus
  readonly idle: boolean
  readonly quietUntil?: number
  readonly paced?: { readonly until: number; readonly limit: string }
  readonly stopping: boolean
  readonly sent: number
  readonly parts: number
  readonly failed: number
  readonly unknown: number
  readonly texts: PartsWindow
  readonly minute: PartsWindow
  readonly rates: readonly LiveRate[]
  /** Newest last. */
  readonly messages: readonly LiveMessage[]
  readonly errors: readonly LiveNote[]
  readonly incoming: readonly LiveNote[]
  readonly queue?: LiveQueue
}

/** How many of each are kept. */
export const maxEntries = { messages: 200, notes: 20 } as const

/** Where the view begins. */
export function createLiveState(rates: readonly PartsRate[], at: number): LiveState {
  const unknown = { state: 'unknown', since: at } as const
  return {
    ...{ relay: unknown, gateway: unknown, idle: false, stopping: false },
    ...{ sent: 0, parts: 0, failed: 0, unknown: 0, messages: [], errors: [], incoming: [] },
    ...{ texts: createWindow(60_000), minute: createWindow(60_000) },
    rates: rates.map(rate => ({ rate, window: createWindow(rate.period) })),
  }
}

/** The state with what the relay says of its queue; without it where it says nothing. */
export function replaceQueue(
  { queue: _, ...state }: LiveState,
  queue: LiveQueue | undefined,
): LiveState {
  return queue === undefined ? state : { ...state, queue }
}

/** A number as bystanders may see it. */
export function maskNumber(destination: string): string {
  if (destination.length <= 6) return destination
  return `${destination.slice(0, -6)}•••${destination.slice(-3)}`
}

/** What a {@link PhoneEvent} may have, whichever it is. */
export type AnyEvent = PhoneEvent | { readonly event: string; readonly id?: string }
