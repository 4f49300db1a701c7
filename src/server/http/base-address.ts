import type { TLSSocket } from 'node:tls'
import type { RequestFacts } from '../../net/server/routed-request.js'

/** The address a request was sent to, by its Host header; undefined where that is not a plain host and port. */
export function getBaseAddress(request: RequestFacts): string | undefined {
  const host = request.headers.host
  if (host === undefined || !/^[A-Za-z0-9.\-_]+(:\d+)?$|^\[[0-9A-Fa-f:.]+\](:\d+)?$/.test(host)) {
    return undefined
  }
  const encrypted = (request.socket as TLSSocket).encrypted === true
  return `${encrypted ? 'https' : 'http'}://${host}`
}

/**
 * Tells whether a request came over TLS: to this program, at a public address that says so, or with `trustProxy` by
 * the last entry of `X-Forwarded-Proto`.
 */
export function createSecureCheck(
  baseUrl: string | undefined,
  trustProxy: boolean,
): (request: RequestFacts) => boolean {
  const isPublic = baseUrl?.startsWith('https:') === true
  return ({ socket, headers }) => {
    if (isPublic || (socket as TLSSocket).encrypted === true) return true
    const forwarded = String(headers['x-forwarded-proto'] ?? '')
      .split(',')
      .at(-1)
    return trustProxy && forwarded?.trim().toLowerCase() === 'https'
  }
}
