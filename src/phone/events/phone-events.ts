// The events of a running phone, for logs, and its result at the end.
//
// The dispatcher and the side tasks of a phone emit events of their own. `mergeEvents` makes one
// stream of them, so that a state which several of them share is reported once. `smsrelay
// phone --json` prints each event as it is; an event never holds the text of a message of the
// relay.

import type { Status } from '../../domain/message/message.js'
import type { ErrorCode } from '../../errors.js'
import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'
import type { DeliveryReceipt, IncomingText, Mms } from '../driver-port/driver.js'

export type PhoneEvent =
  /** The relay has answered the phone for the first time. */
  | { readonly event: 'ready'; readonly driver: string }
  /** No message is due; emitted once until one was. */
  | { readonly event: 'idle' }
  /** The phone reports this outcome now, because an earlier run did not. */
  | ({ readonly event: 'resumed' } & Result)
  | { readonly event: 'took'; readonly id: string; readonly destination: string }
  | { readonly event: 'sent'; readonly id: string; readonly parts: number; readonly test: boolean }
  /**
   * The phone has not sent the message, and reported that; `status` is E (it is tried again later)
   * or F.
   */
  | ({ readonly event: 'failed'; readonly test: boolean } & Unsent)
  | ({ readonly event: 'unknown' } & Unsent)
  /**
   * The phone fetched the message but did not send it: no longer N or E; without `status` it no
   * longer exists.
   */
  | { readonly event: 'skipped'; readonly id: string; readonly status?: Status }
  /**
   * The phone has not sent the message, and released it, so that another phone can fetch it at
   * once.
   */
  | { readonly event: 'returned'; readonly id: string; readonly reason: string }
  /** The relay rejected the phone's report of an outcome for good. */
  | ({ readonly event: 'refused'; readonly code: ErrorCode; readonly error: string } & Result)
  /** The phone ended before the relay accepted this report. */
  | ({ readonly event: 'abandoned'; readonly error: string } & Result)
  /** The relay is unavailable; emitted once per outage. `id` is a message with a waiting report. */
  | { readonly event: 'offline'; readonly error: string; readonly id?: string }
  | { readonly event: 'online' }
  /** The relay accepted the phone's report `delay` milliseconds after the outcome was known. */
  | { readonly event: 'reported-late'; readonly id: string; readonly delay: number }
  /** The driver cannot send; emitted once until it can. Message `id` is held and not failed. */
  | { readonly event: 'trouble'; readonly id?: string; readonly error: string }
  | { readonly event: 'recovered' }
  /**
   * The phone's next message waits so many milliseconds for this rate limit; emitted for long
   * waits.
   */
  | { readonly event: 'paced'; readonly wait: number; readonly limit: string }
  /** Quiet hours last until this time (ISO 8601, UTC); the phone fetches no message. */
  | { readonly event: 'quiet'; readonly until: string }
  /** The phone's journal was repaired, or cannot be written. */
  | { readonly event: 'journal'; readonly error: string }
  /** The phone serves webhooks of a provider at this address. */
  | { readonly event: 'listening'; readonly url: string }
  /** The phone did not accept a webhook of a provider; emitted at most once a minute for each. */
  | { readonly event: 'webhook'; readonly error: string }
  /** `to`, `sim` and `line` say which number, SIM and driver received the text. */
  | ({ readonly event: 'received' } & ReceivedEvent)
  /** A received SMS is no text of a person; `count` is the number of them since the start. */
  | {
      readonly event: 'ignored'
      readonly from: string
      readonly content: string
      readonly count: number
      readonly line?: string
    }
  /** The relay has stored a received text as `received`; `word` is its keyword, if it has one. */
  | {
      readonly event: 'forwarded'
      readonly received: string
      readonly from: string
      readonly word?: string
    }
  /** The relay rejected a received text for good. */
  | { readonly event: 'unforwarded'; readonly from: string; readonly error: string }
  /** The driver cannot decode a received PDU, and keeps it; emitted once for each. */
  | {
      readonly event: 'undecodable'
      readonly hex: string
      readonly error: string
      readonly line?: string
    }
  /** A driver got a receipt for a sent text; `id` is the message, if it is known yet. */
  | {
      readonly event: 'reported'
      readonly to: string
      readonly state: DeliveryReceipt['state']
      readonly id?: string
    }
  /** The receipt belongs to no sent text, or the relay rejected it for good. */
  | {
      readonly event: 'receipt-dropped'
      readonly to: string
      readonly state: DeliveryReceipt['state']
      readonly error: string
    }
  /** The phone was asked to stop; it finishes message `id` first. */
  | { readonly event: 'stopping'; readonly id?: string }

interface ReceivedEvent extends Pick<IncomingText, 'from' | 'text' | 'to' | 'sim' | 'line'>, Mms {
  readonly kind?: 'mms'
}

interface Unsent {
  readonly id: string
  readonly error: string
  readonly status: Status
}

interface Result {
  readonly id: string
  readonly outcome: AttemptOutcome['result']
}

export interface PhoneResult {
  readonly handled: number
  readonly sent: number
  readonly failed: number
  readonly unknown: number
  /** Outcomes that the relay rejected or did not get from the phone. */
  readonly unreported: number
  readonly trouble?: string
}

/**
 * Merges the events of a phone's dispatcher and side tasks: `offline` and `trouble` from the first
 * to the last. `source` numbers them.
 */
export function mergeEvents(
  onEvent: (event: PhoneEvent) => void,
): (source: number, event: PhoneEvent) => void {
  const offline = new Set<number>()
  const trouble = new Set<number>()
  const isNews: Partial<Record<PhoneEvent['event'], (source: number) => boolean>> = {
    offline: source => offline.add(source).size === 1,
    online: source => offline.delete(source) && offline.size === 0,
    trouble: source => trouble.add(source).size === 1,
    recovered: source => trouble.delete(source) && trouble.size === 0,
  }
  return (source, event) => {
    if (isNews[event.event]?.(source) ?? true) onEvent(event)
  }
}
