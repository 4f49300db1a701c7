import type { RequestMetadata } from '../../net/server/http-request.js'

/** The address a request was sent to, by its Host header; undefined where that is not a plain host and port. */
export function getBaseAddress(request: RequestMetadata): string | undefined {
  const host = request.headers.host
  if (host === undefined || !/^[A-Za-z0-9.\-_]+(:\d+)?$|^\[[0-9A-Fa-f:.]+\](:\d+)?$/.test(host)) {
    return undefined
  }
  return `http://${host}`
}

/**
 * Whether a request came over TLS to the proxy in front: the public base URL says so, or with `trustProxy` the last
 * entry of `X-Forwarded-Proto`.
 */
export function createSecureCheck(
  baseUrl: string | undefined,
  trustProxy: boolean,
): (request: RequestMetadata) => boolean {
  const isPublic = baseUrl?.startsWith('https:') === true
  return ({ headers }) => {
    if (isPublic) return true
    const forwarded = String(headers['x-forwarded-proto'] ?? '')
      .split(',')
      .at(-1)
    return trustProxy && forwarded?.trim().toLowerCase() === 'https'
  }
}
