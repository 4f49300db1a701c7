import { createHmac, randomBytes } from 'node:crypto'
import { RelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import { isSameSecret } from '../../../util/crypto/secrets.js'
import type { BodyFields } from '../../http/request-body.js'

// Forms send the CSRF token in a field, scripts in a header.
export const csrfFieldName = 'csrf'
const csrfHeaderName = 'x-csrf-token'

/** Derives the CSRF token, or the key of a signed cookie, from a session, which it hides. */
export function deriveSecret(session: string, use: string): string {
  return createHmac('sha256', session).update(`smsrelay ${use}`).digest('base64url')
}

/**
 * Creates a CSRF token of a session. Each one looks different, because it is masked with a random
 * pad: the length of a compressed page says nothing about it (BREACH).
 */
export function createCsrfToken(session: string): string {
  const pad = randomBytes(tokenBytes)
  return Buffer.concat([pad, mask(deriveCsrfToken(session), pad)]).toString('base64url')
}

const tokenBytes = 32

function deriveCsrfToken(session: string): Buffer {
  return Buffer.from(deriveSecret(session, 'csrf'), 'base64url')
}

function mask(bytes: Buffer, pad: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, at) => byte ^ (pad[at] ?? 0)))
}

export function checkCsrfToken(request: HttpRequest, fields: BodyFields, session: string): void {
  const token = request.headers[csrfHeaderName] ?? fields[csrfFieldName]
  const bytes = Buffer.from(typeof token === 'string' ? token : '', 'base64url')
  const unmasked = mask(bytes.subarray(tokenBytes), bytes.subarray(0, tokenBytes))
  if (isSameSecret(unmasked.toString('hex'), deriveCsrfToken(session).toString('hex'))) return
  throw new RelayError('insufficient_scope', 'The form belongs to another session.', {
    hint: 'Load the page again and resend the form.',
  })
}

/** Whether a script of a page sent the POST: forms have no such header field. */
export function isFromScript({ headers }: HttpRequest): boolean {
  return csrfHeaderName in headers
}

/**
 * Checks the origin of a dashboard request. Throws `insufficient_scope` if `Sec-Fetch-Site`, or
 * without it `Origin`, names another site. A request with neither header does not come from a
 * browser and is allowed.
 * @param base the URL of this server
 */
export function checkOrigin({ headers }: HttpRequest, base: string): void {
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined
      ? headers.origin === undefined || isOwnOrigin(headers.origin, headers.host, base)
      : site === 'same-origin' || site === 'none'
  if (isOwn) return
  throw new RelayError('insufficient_scope', 'This request came from another site.', {
    hint:
      'If a proxy changes the `Host` header, start the server with --base-url and its public ' +
      'address.',
  })
}

function isOwnOrigin(origin: string, host: string | undefined, base: string): boolean {
  if (!URL.canParse(origin)) return false
  const { host: from } = new URL(origin)
  return from === host?.toLowerCase() || origin === new URL(base).origin
}
