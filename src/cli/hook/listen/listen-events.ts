import type { EventFields, EventObjectFields } from '../../../contract/event-schema.js'
import type { FetchedObject } from '../fetch-object.js'

/** Why listening ended. */
export type EndReason = 'count' | 'until' | 'unexpected' | 'max-wait' | 'quit' | 'stopped'

/** An event as a listener shows it. */
export interface EventNotice extends EventFields {
  /** What was fetched of its object; null when it is no longer there. */
  readonly fetched?: FetchedObject | null
}

/** One request to the local program, and what came of it. */
export interface AttemptNotice extends EventObjectFields<string | null> {
  readonly type: 'attempt'
  /** Of the event; undefined for a hit of a lane that does not say it. */
  readonly sequence?: number | undefined
  readonly event: string
  /** Counted from 1. */
  readonly attempt: number
  readonly method: string
  readonly url: string
  readonly status: number | null
  readonly ms: number
  readonly ok: boolean
  readonly error: string | null
  /** Milliseconds to the next attempt; null when there is none. */
  readonly retry_in: number | null
  /** The answer's body, where it was asked for. */
  readonly reply?: string
  readonly replayed?: true
}

/** What a listener tells, beside `hit` and `end`. */
export type ListenerNotice =
  | {
      readonly type: 'ready'
      readonly mode: 'stream' | 'port'
      /** Of the relay, or of the receiver. */
      readonly url: string
      readonly events?: readonly string[]
      readonly forward_to?: string
    }
  | ({ readonly type: 'event' } & EventNotice)
  | AttemptNotice
  | { readonly type: 'missing'; readonly after: number }
  | {
      readonly type: 'reconnecting'
      readonly error: { readonly code: string; readonly message: string }
      readonly attempt: number
      /** Milliseconds. */
      readonly wait: number
    }
