import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { RequestFacts } from '../../net/server/routed-request.js'

const maxWait = 60

/** The seconds a client prefers to wait (RFC 7240 section 4.3), 60 at most; a malformed preference is ignored. */
export function parsePreferredWait(request: RequestFacts): number | undefined {
  const header = request.headers.prefer
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(text)
  return match?.[1] === undefined ? undefined : Math.min(Number(match[1]), maxWait)
}

/** The idempotency key of a request, if it has one. Throws `invalid_parameter`. */
export function getIdempotencyKey(request: RequestFacts): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key !== '' && key.length <= limits.idempotencyKey) return key
  throw new RelayError(
    'invalid_parameter',
    `\`Idempotency-Key\` must have 1 to ${limits.idempotencyKey} characters.`,
  )
}
