import type { Status } from '../../domain/message/message.js'
import type { ErrorCode } from '../../errors.js'
import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'
import type { DeliveryReceipt } from '../driver-port/driver.js'

/** What happens in a phone loop, for people and logs; never holds the text of a message of the relay. */
export type PhoneEvent =
  /** The relay has answered for the first time. */
  | { readonly event: 'ready'; readonly driver: string }
  /** Nothing is due; told once until something was. */
  | { readonly event: 'idle' }
  /** An earlier run did not get to report this outcome; it is reported now. */
  | ({ readonly event: 'resumed' } & Result)
  | { readonly event: 'took'; readonly id: string; readonly destination: string }
  /** Sent, and the relay knows. `test` tells a test number, for which no driver is called. */
  | { readonly event: 'sent'; readonly id: string; readonly parts: number; readonly test: boolean }
  /** Not sent, and the relay knows; `status` is E (it is tried again later) or F. */
  | ({ readonly event: 'failed'; readonly test: boolean } & Unsent)
  /** Nobody knows whether it was sent, and the relay knows that. */
  | ({ readonly event: 'unknown' } & Unsent)
  /** Taken and not sent: its `status` was no longer New or Error when its turn came; without one it is gone. */
  | { readonly event: 'skipped'; readonly id: string; readonly status?: Status }
  /** Not sent, and given back to the relay, so that another phone can take it at once. */
  | { readonly event: 'returned'; readonly id: string; readonly reason: string }
  /** The relay refused the report of an outcome, for good. */
  | ({ readonly event: 'refused'; readonly code: ErrorCode; readonly error: string } & Result)
  /** The loop ends although the relay has not taken this report. */
  | ({ readonly event: 'abandoned'; readonly error: string } & Result)
  /** The relay cannot be used; told once per outage. `id` is a message whose report waits. */
  | { readonly event: 'offline'; readonly error: string; readonly id?: string }
  | { readonly event: 'online' }
  /** The report of this message was taken, `delay` milliseconds after the outcome was known. */
  | { readonly event: 'reported-late'; readonly id: string; readonly delay: number }
  /** Telephony is out of order; told once until it works. The message in hand, if there is one, is kept and costs no attempt. */
  | { readonly event: 'trouble'; readonly id?: string; readonly error: string }
  | { readonly event: 'recovered' }
  /** The next message waits so many milliseconds for this limit; told of waits of more than a few seconds. */
  | { readonly event: 'paced'; readonly wait: number; readonly limit: string }
  /** Quiet hours are on until this time, in UTC by ISO 8601; nothing is taken. */
  | { readonly event: 'quiet'; readonly until: string }
  /** The journal had to be mended, or cannot be written. */
  | { readonly event: 'journal'; readonly error: string }
  /** A text came in. */
  | { readonly event: 'received'; readonly from: string; readonly text: string }
  /** The relay has a text that came in, under the identifier `received`; `word` tells what it was taken for. */
  | {
      readonly event: 'forwarded'
      readonly received: string
      readonly from: string
      readonly word?: string
    }
  /** The relay does not take this text, for good; of one that takes none it is told once. */
  | { readonly event: 'unforwarded'; readonly from: string; readonly error: string }
  /** The network says what became of a part that was sent. */
  | { readonly event: 'reported'; readonly to: string; readonly state: DeliveryReceipt['state'] }
  /** A stop was asked for; `id` is the message in hand, which is finished first. */
  | { readonly event: 'stopping'; readonly id?: string }

interface Unsent {
  readonly id: string
  readonly error: string
  readonly status: Status
}

interface Result {
  readonly id: string
  readonly outcome: AttemptOutcome['result']
}

/** What a phone loop did until it ended. */
export interface PhoneResult {
  /** Messages with an outcome: those sent, failed and unknown. */
  readonly handled: number
  readonly sent: number
  readonly failed: number
  readonly unknown: number
  /** Outcomes the relay refused or did not get. */
  readonly unreported: number
  /** What was wrong with telephony when the loop ended, if something was. */
  readonly trouble?: string
}
