import type { MessageClient } from '../../client/message-client.js'
import type { BulkDraft } from '../../domain/bulk/bulk-table.js'
import { type ErrorCode, isRelayError, isTransient, type RelayError } from '../../errors.js'
import { getBackoff } from '../../util/async/backoff.js'
import type { Clock } from '../../util/async/clock.js'
import type { AcceptedRow } from './bulk-job-log.js'

export interface RowSendOptions {
  readonly client: { readonly messages: Pick<MessageClient, 'create'> }
  readonly clock: Clock
  /** From 0 to 1: varies the delay before a bulk row is sent again. */
  readonly random: () => number
  readonly stop: AbortSignal
  readonly forceSignal: AbortSignal
  /**
   * Called by the bulk command with each transient failure of the relay, and with undefined after a
   * success.
   */
  readonly onOutage: (error: RelayError | undefined) => void
}

/**
 * Result of a bulk row. `unknown`: the relay may have accepted it; `stopped`: the next command
 * retries.
 */
export type RowOutcome =
  | { readonly outcome: 'accepted'; readonly message: AcceptedRow }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'stopped' }

/**
 * Milliseconds for which a bulk row can be sent again with the same idempotency key. The relay
 * remembers keys for 24 hours; clocks differ and requests take time.
 */
export const keyLifetime = 23 * 3_600_000

const rejectionCodes: readonly ErrorCode[] = [
  'invalid_parameter',
  'invalid_request',
  'payload_too_large',
]
const retryDelays = { first: 500, max: 30_000 }

/** A bulk row with its idempotency key; `since`: its first use, milliseconds since the epoch. */
export interface KeyedRow {
  readonly draft: BulkDraft
  readonly key: string
  readonly since: number
}

/**
 * Sends a bulk row, and retries transient failures while its idempotency key is valid. Throws
 * errors that concern all rows.
 */
export async function sendRow(
  { draft, key, since }: KeyedRow,
  options: RowSendOptions,
): Promise<RowOutcome> {
  const { messages } = options.client
  try {
    const message = await retryTransient(since, options, async signal => {
      return await messages.create(draft, { idempotencyKey: key, signal })
    })
    return typeof message === 'string' ? { outcome: message } : { outcome: 'accepted', message }
  } catch (error) {
    if (!isRelayError(error) || !isRejection(error.code)) throw error
    return { outcome: 'refused', reason: error.message }
  }
}

/** Whether an error code of the relay is about one bulk row, and not about all. */
export function isRejection(code: string): boolean {
  return rejectionCodes.some(each => each === code)
}

/**
 * Repeats a request after transient failures while idempotency keys first used at `since` are
 * valid; resolves to `unknown` after that, and to `stopped` when it was stopped.
 */
export async function retryTransient<T>(
  since: number,
  options: Omit<RowSendOptions, 'client'>,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'unknown' | 'stopped'> {
  const { clock, random, stop, forceSignal, onOutage } = options
  for (let failures = 1; ; failures += 1) {
    if (clock.now() - since > keyLifetime) return 'unknown'
    try {
      const result = await send(forceSignal)
      onOutage(undefined)
      return result
    } catch (error) {
      if (forceSignal.aborted) return 'stopped'
      if (!isTransient(error)) throw error
      if (!stop.aborted) onOutage(error)
      const delay = getBackoff(failures, random(), retryDelays)
      await clock.sleep(Math.max(delay, (error.retryAfter ?? 0) * 1000), stop)
      if (stop.aborted) return 'stopped'
    }
  }
}
