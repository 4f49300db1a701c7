import { normalizeAddress, parseForwardedAddress } from '../ip-address.js'
import type { RequestMetadata } from './http-request.js'

/**
 * Whether what a proxy says of its client is true, by the address of the proxy and how many other
 * proxies are between it and the HTTP server.
 */
export type TrustProxy = (address: string, hop: number) => boolean

/**
 * Returns the address of the client of an HTTP request: the first one in `X-Forwarded-For`, read
 * from its end, that no trusted proxy has. What stands before it the client may have written.
 * Undefined if no trusted proxy names a client, as in requests of the proxy itself.
 */
export function findForwardedClient(
  { headers, remoteAddress }: RequestMetadata,
  trust: TrustProxy,
): string | undefined {
  const entries = String(headers['x-forwarded-for'] ?? '').split(',')
  let client: string | undefined
  for (const [hop, entry] of entries.reverse().entries()) {
    const address = parseForwardedAddress(entry)
    if (address === undefined || !trust(client ?? normalizeAddress(remoteAddress), hop)) break
    client = normalizeAddress(address)
  }
  return client
}
