import { getAddressBlock, isLoopbackHost, parseForwardedAddress } from '../../net/ip-address.js'
import type { RequestMetadata } from '../../net/server/http-request.js'

/** Whom a request is from, for counting: an IPv4 address or an IPv6 /64. */
export type GetClientAddress = (request: RequestMetadata) => string

/**
 * Tells whom a request is from: the connection's other end, or with `trustProxy` what the proxy there added to
 * `X-Forwarded-For`, its last entry, since all before it is the client's own word.
 *
 * @param warn told once when a proxy seems to be there that is not trusted
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
    if (trustProxy) return getAddressBlock(getLastEntry(header) ?? peer)
    if (!warned && isLoopbackHost(request.remoteAddress)) {
      warned = true
      warn(
        'Requests come through a proxy, so wrong credentials of one client slow down all of them; ' +
          'start with --trust-proxy when nobody can reach the service around that proxy.',
      )
    }
    return peer
  }
}

function getLastEntry(header: string | readonly string[]): string | undefined {
  return parseForwardedAddress(String(header).split(',').at(-1) ?? '')
}
