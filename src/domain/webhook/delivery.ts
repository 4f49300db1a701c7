import type { EventName } from './event.js'

/** The result of a delivery: `ok` if the receiver replied 2xx. */
export interface DeliveryResult {
  readonly ok: boolean
  /** HTTP status by which the delivery is judged; absent without a reply. */
  readonly status?: number
  /** One sentence about what was wrong with the delivery, unless `ok`. */
  readonly error?: string
  /**
   * Whether the receiver closed a kept-alive connection without a reply. It may have had no chance
   * to read the webhook, so the webhook is repeated at once.
   */
  readonly stale?: boolean
  /** Milliseconds before a retry of the delivery that the receiver asked for. */
  readonly retryAfter?: number
  /** The first bytes of the receiver's reply as text, which the delivery retains. */
  readonly reply?: string
  readonly request?: string
}

export interface Delivery {
  readonly id: string
  readonly subscription: string
  readonly seq: number
  readonly event: EventName
  readonly message: string
  readonly attempt: number
  readonly at: number
  readonly ms: number
  readonly status?: number
  readonly error?: string
  readonly ok: boolean
  /** Whether the subscription gave the event up after this delivery. */
  readonly dead: boolean
  /** Whether a user requested the delivery (resend); it is then out of order. */
  readonly resend: boolean
  readonly reply?: string
  readonly request?: string
}

export const maxRequestLength = 2048

/** Bytes of the receiver's reply that a delivery retains. */
export const maxReplyBytes = 2048
