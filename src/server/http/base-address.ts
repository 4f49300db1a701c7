import { isIP } from 'node:net'
import { isLoopbackHost } from '../../net/ip-address.js'
import type { TrustProxy } from '../../net/server/forwarded-client.js'
import type { RequestHandler } from '../../net/server/http-connection.js'
import type { RequestMetadata } from '../../net/server/http-request.js'
import { RequestError } from '../../net/server/request-error.js'
import { memoize } from '../../util/collections/memoize.js'
import { sendRefusal } from './http-errors.js'

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

/**
 * Serves all ways in over HTTP below the path of the public address. A proxy may remove the path
 * from requests or pass it on: everything behind this sees paths without it. `page-sender.tsx` and
 * `cookies.ts` add it to what browsers get, and the base URL of links has it.
 */
export function serveBelow(baseUrl: string | undefined, handler: RequestHandler): RequestHandler {
  const basePath = baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '')
  if (basePath === '') return handler
  return (request, response) => {
    request.basePath = basePath
    response.basePath = basePath
    request.url = removeBasePath(request.url, basePath)
    handler(request, response)
  }
}

/** Returns a path and its query without the path of the public address, if they begin with it. */
export function removeBasePath(url: string, basePath: string): string {
  if (!url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url
}

export interface HostSettings {
  readonly baseUrl: string | undefined
  readonly trustProxy: TrustProxy | undefined
}

/**
 * A server that only this machine can reach answers only to names of this machine and to that of
 * the base URL: a page of another site, whose name was made to lead here (DNS rebinding), gets 403.
 * A program with a key or token has what such a page has not, and may come through any proxy.
 * A trusted proxy without a base URL can pass any name on, so nothing is refused then.
 * @param getAddress returns the address on which the server listens; undefined for a Unix socket
 */
export function refuseForeignHosts(
  { baseUrl, trustProxy }: HostSettings,
  getAddress: () => string | undefined,
  handler: RequestHandler,
): RequestHandler {
  if (trustProxy !== undefined && baseUrl === undefined) return handler
  const own = baseUrl === undefined ? undefined : readHostName(new URL(baseUrl).host)
  const isKnown = memoize(maxKnownHosts, (authority: string) => {
    const name = readHostName(authority)
    if (name === undefined) return false
    return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || isLoopbackHost(name) || name === own
  })
  let isOnLoopback: boolean | undefined
  return (request, response) => {
    const { host: named } = request.headers
    isOnLoopback ??= isLoopbackHost(getAddress() ?? '')
    const hasLogin = request.headers.authorization !== undefined
    if (!isOnLoopback || hasLogin || named === undefined || isKnown(named))
      handler(request, response)
    else sendRefusal(response, new RequestError(403, foreignHost))
  }
}

/** Returns the name in a field Host, without the dot that ends an absolute one. */
function readHostName(authority: string): string | undefined {
  const url = `http://${authority}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined
}

const foreignHost =
  'This relay listens on 127.0.0.1 and does not know the name in the address. Use 127.0.0.1 or ' +
  'localhost, or start the relay with --base-url and the address by which it is reached.'

export interface SecureSettings {
  readonly tls?: object | undefined
  readonly baseUrl: string | undefined
  readonly trustProxy: TrustProxy | undefined
}

/**
 * Creates a check whether a request came over TLS, to the relay or to the proxy: the public base
 * URL is https, or the last entry of `X-Forwarded-Proto` of a trusted proxy is.
 */
export function createSecureCheck({
  tls,
  baseUrl,
  trustProxy,
}: SecureSettings): (request: RequestMetadata) => boolean {
  const isAlways = tls !== undefined || baseUrl?.startsWith('https:') === true
  return ({ headers, remoteAddress }) => {
    if (isAlways) return true
    if (trustProxy?.(remoteAddress, 0) !== true) return false
    const forwarded = String(headers['x-forwarded-proto'] ?? '')
      .split(',')
      .at(-1)
    return forwarded?.trim().toLowerCase() === 'https'
  }
}
