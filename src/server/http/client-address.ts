import { getAddressBlock, isLoopbackHost, parseForwardedAddress } from '../../net/ip-address.js'
import type { RequestMetadata } from '../../net/server/http-request.js'

/**
 * Gets the address that stands for a request's client in all ways in over HTTP: an IPv4 address or
 * the /64 of an IPv6 address.
 */
export type GetClientAddress = (request: RequestMetadata) => string

/**
 * Makes a function that returns the client of a request: the other end of the connection, or with
 * `trustProxy` the last entry of `X-Forwarded-For`. The client itself may write the other entries.
 *
 * @param warn called once if requests seem to come through a proxy that is not trusted
 */
export function createClientAddressGetter(
  trustProxy: boolean,
  warn: (sentence: string) => void = () => {},
): GetClientAddress {
  let warned = false
  return request => {
    const peer = getAddressBlock(request.remoteAddress)
    const header = request.headers['x-forwarded-for']
    if (header === undefined) return peer
    if (trustProxy) return getForwardedAddress(request) ?? peer
    if (!warned && isLocalPeer(request.remoteAddress)) {
      warned = true
      warn(
        'Requests come through a proxy, so wrong credentials of one client slow down all. ' +
          'If all requests come through the proxy, start with --trust-proxy.',
      )
    }
    return peer
  }
}

/** The other end of a Unix socket has no address; all requests over it count as one client. */
function isLocalPeer(address: string): boolean {
  return address === '' || isLoopbackHost(address)
}

/**
 * Returns the client that a trusted proxy names in an HTTP request; undefined for a request of the
 * proxy itself.
 */
export function getForwardedAddress({ headers }: RequestMetadata): string | undefined {
  const lastEntry = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
  const address = parseForwardedAddress(lastEntry ?? '')
  return address === undefined ? undefined : getAddressBlock(address)
}
