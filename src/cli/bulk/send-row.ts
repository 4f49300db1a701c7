import type { MessageClient } from '../../client/message-client.js'
import type { BulkDraft } from '../../domain/bulk/bulk-table.js'
import { type ErrorCode, isRelayError, isTransient, type RelayError } from '../../errors.js'
import { getBackoff } from '../../util/async/backoff.js'
import type { Pause } from '../../util/async/clock.js'
import type { AcceptedRow } from './bulk-job-log.js'

/** What sending a row needs. */
export interface RowSendOptions {
  readonly client: { readonly messages: Pick<MessageClient, 'create'> }
  readonly pause: Pause
  /** 0 to 1. */
  readonly random: () => number
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Aborted when no further request is to be begun. */
  readonly stop: AbortSignal
  /** Aborted when a request is not to be waited for any more. */
  readonly force: AbortSignal
  /** Told of each failure that passes, and with undefined of what went well. */
  readonly onOutage: (error: RelayError | undefined) => void
}

/** What became of a row; `left` is decided by whoever goes on, `unknown` may have been sent. */
export type RowOutcome =
  | { readonly fate: 'accepted'; readonly message: AcceptedRow }
  | { readonly fate: 'refused'; readonly reason: string }
  | { readonly fate: 'unknown' }
  | { readonly fate: 'left' }

/**
 * Milliseconds for which the same idempotency key surely gives the same message: less than the 24 hours of the service,
 * because clocks differ and requests take time.
 */
export const keyLifetime = 23 * 3_600_000

const rejectionCodes: readonly ErrorCode[] = [
  'invalid_parameter',
  'invalid_request',
  'payload_too_large',
]
const retryDelays = { first: 500, max: 30_000 }

/** Hands a row over until the relay has answered, for as long as its key surely lasts. Throws what ends all rows. */
export async function sendRow(
  draft: BulkDraft,
  { key, since }: { readonly key: string; readonly since: number },
  sending: RowSendOptions,
): Promise<RowOutcome> {
  const { client, pause, random, clock, stop, force, onOutage } = sending
  for (let failures = 1; ; failures += 1) {
    if (clock() - since > keyLifetime) return { fate: 'unknown' }
    try {
      const message = await client.messages.create(draft, { idempotencyKey: key, signal: force })
      onOutage(undefined)
      return { fate: 'accepted', message }
    } catch (error) {
      if (force.aborted) return { fate: 'left' }
      if (!isRelayError(error)) throw error
      if (rejectionCodes.includes(error.code)) return { fate: 'refused', reason: error.message }
      if (!isTransient(error)) throw error
      if (!stop.aborted) onOutage(error)
      const wait = getBackoff(failures, random(), retryDelays)
      await pause(Math.max(wait, (error.retryAfter ?? 0) * 1000), stop)
      if (stop.aborted) return { fate: 'left' }
    }
  }
}
