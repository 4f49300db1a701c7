import { createHmac, hash } from 'node:crypto'
import { isSameSecret } from '../../../../util/crypto/secrets.js'
import { parseJson } from '../../../../util/text/parse-json.js'
import {
  type CheckSignature,
  getHeader,
  getOwn,
  hashBody,
  isRecent,
  parseUrl,
} from './signed-webhook.js'

type Claims = Readonly<Record<string, unknown>>

/** Vonage's token in `Authorization`; it is recent, and `payload_hash` is that of the body. */
export const checkVonageSignature: CheckSignature = (webhook, { secret, now }) => {
  const claims = readToken(readBearer(getHeader(webhook, 'authorization')), secret, now)
  if (claims === undefined || !isRecent(Number(claims.iat), now)) return false
  return isSameSecret(String(claims.payload_hash), hashBody(webhook))
}

/** MessageBird's token in MessageBird-Signature-JWT, with hashes of the address and the body. */
export const checkMessagebirdSignature: CheckSignature = (webhook, { secret, now }) => {
  const claims = readToken(getHeader(webhook, 'messagebird-signature-jwt'), secret, now)
  if (claims === undefined || claims.iss !== 'MessageBird' || claims.exp === undefined) return false
  const { url_hash: urlHash, payload_hash: payloadHash } = claims
  const isBodySame =
    payloadHash === undefined
      ? webhook.body.length === 0
      : isSameSecret(String(payloadHash), hashBody(webhook))
  return isBodySame && isSameSecret(String(urlHash), hash('sha256', webhook.url, 'hex'))
}

/** httpSMS's token in `Authorization`, for the webhook's address. It covers no body. */
export const checkHttpsmsSignature: CheckSignature = (webhook, { secret, now }) => {
  const claims = readToken(readBearer(getHeader(webhook, 'authorization')), secret, now)
  if (claims?.iss !== 'api.httpsms.com') return false
  const { iat, exp, aud } = claims
  const isShort = [Number(iat), now / 1000].every(from => Number(exp) - from <= maxLife)
  return isShort && [aud].flat().some(each => isSameAddress(each, webhook.url))
}

function isSameAddress(audience: unknown, url: string): boolean {
  const [one, other] = [audience, url].map(each => parseUrl(each)?.href.replace(/\/$/, ''))
  return one !== undefined && one === other
}

function readBearer(authorization: string): string {
  return /^Bearer (.+)$/i.exec(authorization)?.[1] ?? ''
}

/** Seconds from the begin to the end of httpSMS's token; it has 600. */
const maxLife = 3600
/** Seconds by which the clocks may differ. */
const leeway = 30
const algorithms: Readonly<Record<string, string>> = {
  HS256: 'sha256',
  HS384: 'sha384',
  HS512: 'sha512',
}

/**
 * The claims of a JSON Web Token that is signed with the secret and valid now (RFC 7519); undefined
 * for any other, also for one without a signature.
 */
function readToken(token: string, secret: string, now: number): Claims | undefined {
  const [head = '', payload = '', signature = '', ...rest] = token.split('.')
  const algorithm = getOwn(algorithms, decodePart(head)?.alg)
  if (algorithm === undefined || rest.length > 0) return undefined
  const expected = createHmac(algorithm, secret).update(`${head}.${payload}`).digest('base64url')
  if (!isSameSecret(expected, signature)) return undefined
  const claims = decodePart(payload)
  const { nbf = 0, exp = Number.POSITIVE_INFINITY } = claims ?? {}
  const seconds = now / 1000
  const isValid = Number(nbf) <= seconds + leeway && seconds - leeway <= Number(exp)
  return isValid ? claims : undefined
}

function decodePart(part: string): Claims | undefined {
  const value = parseJson(Buffer.from(part, 'base64url').toString())
  return typeof value === 'object' && value !== null ? (value as Claims) : undefined
}
