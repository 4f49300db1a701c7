import type { EventFields, EventObjectFields } from '../../../contract/event-schema.js'
import type { FetchedObject } from '../fetch-object.js'
import type { IncomingWebhook } from '../webhook-receiver.js'

/** A webhook of `hook listen` with its event; with --fetch also its object, or null if deleted. */
export interface EventWebhook extends IncomingWebhook, EventObjectFields<string | null> {
  readonly event: string
  readonly fetched?: FetchedObject | null
}

export type EndReason = 'count' | 'until' | 'unexpected' | 'max-wait' | 'quit' | 'stopped'

/**
 * An event of the relay's event stream as `hook listen` prints it; with --fetch also its object, or
 * null if that is deleted.
 */
export interface EventNotice extends EventFields {
  readonly fetched?: FetchedObject | null
}

export interface AttemptNotice extends EventObjectFields<string | null> {
  readonly type: 'attempt'
  /** Undefined if the forwarded webhook has no `webhook-sequence` header. */
  readonly sequence?: number | undefined
  readonly event: string
  readonly attempt: number
  readonly method: string
  readonly url: string
  /** HTTP status of the local program; null if there was no response. */
  readonly status: number | null
  readonly ms: number
  readonly ok: boolean
  readonly error: string | null
  /** Milliseconds until the next attempt to forward; null for the last one. */
  readonly retry_in: number | null
  readonly reply?: string
  readonly replayed?: true
}

export interface WebhookDetail {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly reply?: string | undefined
}

export type ListenerEvent =
  | {
      readonly type: 'ready'
      readonly mode: 'stream' | 'port'
      /** Address of the relay (--stream) or of the local webhook receiver (--port). */
      readonly url: string
      readonly events: readonly string[]
      readonly forward_to?: string
      /** Secret that signs the webhooks; absent without them, and at relays that do not sign. */
      readonly secret?: string
      /** Events whose subscriptions were left behind by an earlier run, and are used again. */
      readonly taken_over?: readonly string[]
    }
  | ({ readonly type: 'event' } & EventNotice)
  | ({ readonly type: 'hit' } & EventWebhook)
  /** A webhook that is not signed with --secret. */
  | ({
      readonly type: 'refused'
      readonly problem: string
      readonly reason: string
    } & IncomingWebhook)
  | AttemptNotice
  | { readonly type: 'missing'; readonly after: number }
  /** Events whose subscriptions the relay had removed; they were created again. */
  | { readonly type: 'expired'; readonly events: readonly string[] }
  | {
      readonly type: 'reconnecting'
      readonly error: { readonly code: string; readonly message: string }
      readonly attempt: number
      /** Milliseconds until `hook listen` connects again. */
      readonly wait: number
    }
