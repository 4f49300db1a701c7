import type { RequestMetadata } from '../../net/server/http-request.js'
import { memoize } from '../../util/collections/memoize.js'

/**
 * Returns the address in a request's field Host; undefined if that is not a plain host and port.
 */
export function getBaseAddress(request: RequestMetadata): string | undefined {
  const { host } = request.headers
  return host === undefined ? undefined : toBaseAddress(host)
}

const plainHost = /^[A-Za-z0-9.\-_]+(:\d+)?$|^\[[0-9A-Fa-f:.]+\](:\d+)?$/
const maxKnownHosts = 64

const toBaseAddress = memoize(maxKnownHosts, host =>
  plainHost.test(host) ? `http://${host}` : undefined,
)

/**
 * Creates a check whether a request came over TLS to the proxy: the public base URL is https, or
 * with `trustProxy` the last entry of `X-Forwarded-Proto` is.
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
