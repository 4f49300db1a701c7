import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { RelayError } from '../../../errors.js'
import { isSameSecret } from '../../../util/crypto/secrets.js'
import type { BodyFields } from '../../http/request-body.js'

/** The field of a form, and htmx's header, that prove that a page of ours sent it. */
export const csrfFieldName = 'csrf'
export const csrfHeaderName = 'x-csrf-token'

/** A secret for one use, derived from that of a session; it tells nothing about the session's. */
export function deriveSecret(session: string, use: string): string {
  return createHmac('sha256', session).update(`smsrelay ${use}`).digest('base64url')
}

/** The token that every form of a session carries. */
export function deriveCsrfToken(session: string): string {
  return deriveSecret(session, 'csrf')
}

/** Refuses a request that changes something and does not come from a page of ours. Throws `insufficient_scope`. */
export function checkCsrfToken(
  request: IncomingMessage,
  fields: BodyFields,
  session: string,
): void {
  const given = request.headers[csrfHeaderName] ?? fields[csrfFieldName]
  if (typeof given === 'string' && isSameSecret(given, deriveCsrfToken(session))) return
  throw new RelayError(
    'insufficient_scope',
    'This form belongs to another session; load the page again and send it once more.',
  )
}

/**
 * Refuses what a browser says comes from another site: by `Sec-Fetch-Site`, where it is not sent by `Origin`. What
 * has neither is no browser. Throws `insufficient_scope`.
 *
 * @param base the service's own address
 */
export function checkOrigin({ headers }: IncomingMessage, base: string): void {
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined
      ? headers.origin === undefined || isOwnOrigin(headers.origin, headers.host, base)
      : site === 'same-origin' || site === 'none'
  if (isOwn) return
  throw new RelayError('insufficient_scope', 'This request came from another site.', {
    hint: 'Behind a proxy that changes `Host`, start the service with --base-url and its public address.',
  })
}

function isOwnOrigin(origin: string, host: string | undefined, base: string): boolean {
  if (!URL.canParse(origin)) return false
  const { host: from } = new URL(origin)
  return from === host?.toLowerCase() || origin === new URL(base).origin
}
