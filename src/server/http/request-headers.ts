import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { RequestMetadata } from '../../net/server/http-request.js'

/** Seconds. */
const maxWait = 60

/** Returns the wait in seconds that a request prefers, at most 60 (RFC 7240 section 4.3). */
export function parsePreferredWait(request: RequestMetadata): number | undefined {
  const text = request.headers.prefer ?? ''
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(text)
  return match?.[1] === undefined ? undefined : Math.min(Number(match[1]), maxWait)
}

/** Returns the idempotency key of a request, if it has one. Throws `invalid_parameter`. */
export function getIdempotencyKey(request: RequestMetadata): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key !== '' && key.length <= limits.idempotencyKey) return key
  throw new RelayError(
    'invalid_parameter',
    `\`Idempotency-Key\` must have 1 to ${limits.idempotencyKey} characters.`,
  )
}
