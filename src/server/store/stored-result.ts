import type { Message } from '../../domain/message/message.js'
import { RelayError } from '../../errors.js'
import type { IdempotencyKey } from './message-store.js'

/** The result of a request, as the store has it with the request's idempotency key. */
export interface StoredResult {
  readonly digest: string
  /** When the store deletes the result, in milliseconds since the epoch. */
  readonly until: number
  /** The message that the store returned first for the idempotency key. */
  readonly message: Message
}

/**
 * Returns the stored result for a request with the same key, unless it has expired. Throws
 * `invalid_request` if the key was used for another request.
 */
export function getStoredResult(
  stored: StoredResult | undefined,
  key: IdempotencyKey,
  now: number,
): Message | undefined {
  const result = getUnexpired(stored, now)
  if (result === undefined || result.digest === key.digest) return result?.message
  throw new RelayError(
    'invalid_request',
    'This `Idempotency-Key` was used for another request; use a new one for each message.',
  )
}

/** The result that the store has with an idempotency key, unless it has expired. */
export function getUnexpired(
  stored: StoredResult | undefined,
  now: number,
): StoredResult | undefined {
  return stored === undefined || stored.until <= now ? undefined : stored
}
