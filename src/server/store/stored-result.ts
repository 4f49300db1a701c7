import type { Message } from '../../domain/message/message.js'
import { RelayError } from '../../errors.js'
import type { IdempotencyKey, MessageStore, StoredResult } from './message-store.js'

/**
 * Returns the stored result for a request with the same key, unless it has expired. Throws
 * `invalid_request` if the key was used for another request.
 */
export function getStoredResult(
  stored: StoredResult | undefined,
  key: IdempotencyKey,
  now: number,
): Message | undefined {
  return requireSame(getUnexpired(stored, now), key)
}

/** Finds the first result of a request with the same key, as {@link getStoredResult} does. */
export async function findResult(
  messages: Pick<MessageStore, 'findResults'>,
  key: IdempotencyKey,
): Promise<Message | undefined> {
  const [stored] = await messages.findResults(key.account, [key.key])
  return requireSame(stored, key)
}

function requireSame(
  stored: StoredResult | undefined,
  { digest }: IdempotencyKey,
): Message | undefined {
  if (stored === undefined || stored.digest === digest) return stored?.message
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
