import type { EventName } from './event.js'

/** What a hit came to: `ok` when the receiver answered 2xx (README: open details). */
export interface DeliveryResult {
  readonly ok: boolean
  /** Of the receiver's answer, when there was one. */
  readonly status?: number
  /** One sentence on what was wrong, when it was not ok. */
  readonly error?: string
  /** Milliseconds before which the receiver asks not to be tried again. */
  readonly retryAfter?: number
  /** The beginning of the receiver's answer, where it had a body. */
  readonly reply?: string
}

/** An attempt to deliver an event, as it is logged. */
export interface Delivery {
  /** Later ones sort after earlier ones. */
  readonly id: string
  /** Identifier of the subscription. */
  readonly subscription: string
  readonly seq: number
  readonly event: EventName
  /** Identifier of the message. */
  readonly message: string
  /** Number of the attempt at this event, from 1; of the last one where none was made. */
  readonly attempt: number
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  /** How long it took, in milliseconds. */
  readonly ms: number
  readonly status?: number
  readonly error?: string
  readonly ok: boolean
  /** Whether the lane passed the event without its having been delivered. */
  readonly dead: boolean
  /** Whether somebody asked for it, outside the order. */
  readonly resend: boolean
  readonly reply?: string
}

/** Bytes of an answer that are logged. */
export const maxReplyBytes = 2048
