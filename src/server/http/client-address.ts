import { getAddressBlock, isLoopbackHost, normalizeAddress } from '../../net/ip-address.js'
import { findForwardedClient, type TrustProxy } from '../../net/server/forwarded-client.js'
import type { RequestMetadata } from '../../net/server/http-request.js'

/**
 * Gets the address that stands for a request's client in all ways in over HTTP: an IPv4 address or
 * the /64 of an IPv6 address.
 */
export type GetClientAddress = (request: RequestMetadata) => string

/**
 * Makes a function that returns the client of a request: the one that trusted proxies name, or else
 * the other end of the connection.
 *
 * @param warn called once if requests seem to come through a proxy that is not trusted
 */
export function createClientAddressGetter(
  trustProxy: TrustProxy | undefined,
  warn: (sentence: string) => void = () => {},
): GetClientAddress {
  let warned = false
  return request => {
    const { remoteAddress, headers } = request
    if (headers['x-forwarded-for'] === undefined) return getAddressBlock(remoteAddress)
    const isTrusted = trustProxy?.(normalizeAddress(remoteAddress), 0) === true
    if (!isTrusted && !warned && isLocalPeer(remoteAddress)) {
      warned = true
      warn(
        'Requests come through a proxy, so wrong credentials of one client slow down all. ' +
          'If all requests come through the proxy, start with --trust-proxy.',
      )
    }
    const client = trustProxy && findForwardedClient(request, trustProxy)
    return getAddressBlock(client ?? remoteAddress)
  }
}

/** The other end of a Unix socket has no address; all requests over it count as one client. */
function isLocalPeer(address: string): boolean {
  return address === '' || isLoopbackHost(address)
}
