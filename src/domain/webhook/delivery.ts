import type { EventName } from './event.js'

/** The result of a webhook: `ok` if the receiver replied 2xx. */
export interface DeliveryResult {
  readonly ok: boolean
  /** Status of the reply; absent without a reply. */
  readonly status?: number
  /** One sentence about what was wrong, unless `ok`. */
  readonly error?: string
  /** Milliseconds to wait before a retry, as the receiver asked. */
  readonly retryAfter?: number
  /** The first bytes of the reply's body as text. */
  readonly reply?: string
}

export interface Delivery {
  /** Sorts after all earlier ones. */
  readonly id: string
  readonly subscription: string
  readonly seq: number
  readonly event: EventName
  /** Identifier of the message. */
  readonly message: string
  /** Number of the attempt at this event, from 1; for a skip that of the last attempt. */
  readonly attempt: number
  /** Start in milliseconds since the epoch. */
  readonly at: number
  /** Duration in milliseconds. */
  readonly ms: number
  readonly status?: number
  readonly error?: string
  readonly ok: boolean
  /** Whether the event was given up. */
  readonly dead: boolean
  /** Whether a user requested it; it is then sent out of order. */
  readonly resend: boolean
  readonly reply?: string
}

/** Bytes of a reply that are logged. */
export const maxReplyBytes = 2048
