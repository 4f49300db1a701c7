import type { RequestMetadata } from '../../net/server/http-request.js'
import { memoize } from '../../util/collections/memoize.js'

/**
 * Returns the address in a request's field Host; undefined if that is not a plain host and port.
 */
export function getBaseAddress(
  { headers: { host } }: RequestMetadata,
  scheme: 'http' | 'https',
): string | undefined {
  const authority = host === undefined ? undefined : toAuthority(host)
  return authority === undefined ? undefined : `${scheme}:${authority}`
}

const plainHost = /^[A-Za-z0-9.\-_]+(:\d+)?$|^\[[0-9A-Fa-f:.]+\](:\d+)?$/
const maxKnownHosts = 64

const toAuthority = memoize(maxKnownHosts, host => (plainHost.test(host) ? `//${host}` : undefined))

export interface SecureSettings {
  readonly tls?: object | undefined
  readonly baseUrl: string | undefined
  readonly trustProxy: boolean
}

/**
 * Creates a check whether a request came over TLS, to the relay or to the proxy: the public base
 * URL is https, or with `trustProxy` the last entry of `X-Forwarded-Proto` is.
 */
export function createSecureCheck({
  tls,
  baseUrl,
  trustProxy,
}: SecureSettings): (request: RequestMetadata) => boolean {
  const isAlways = tls !== undefined || baseUrl?.startsWith('https:') === true
  return ({ headers }) => {
    if (isAlways) return true
    const forwarded = String(headers['x-forwarded-proto'] ?? '')
      .split(',')
      .at(-1)
    return trustProxy && forwarded?.trim().toLowerCase() === 'https'
  }
}
