import { RelayError } from '../../errors.js'
import { getAddressBlock, normalizeAddress } from '../../net/ip-address.js'
import { findForwardedClient, type TrustProxy } from '../../net/server/forwarded-client.js'
import type { RequestHandler } from '../../net/server/http-connection.js'
import type { RequestMetadata } from '../../net/server/http-request.js'
import type { LimitedCounts } from '../../util/collections/limited-counts.js'
import type { Metrics } from '../../util/collections/metrics.js'
import { createErrorResponder } from './http-errors.js'

export interface RequestLimitOptions {
  readonly inProgress: LimitedCounts
  readonly metrics: Metrics
  readonly trustProxy: TrustProxy
}

/**
 * For all ways in over HTTP, limits the requests in progress of each client address: behind a
 * proxy, connections say nothing about clients. A request counts until its reply is sent; a NEXT
 * that waits and an event stream are in progress all the time. A request beyond the limit gets 503
 * with Retry-After; those of the proxy itself, without a client, are exempt.
 */
export function limitRequests(
  handler: RequestHandler,
  { inProgress, metrics, trustProxy }: RequestLimitOptions,
): RequestHandler {
  const sendError = createErrorResponder(() => {})
  return (request, response) => {
    const address = findLimitedAddress(request, trustProxy)
    if (address === undefined) return handler(request, response)
    if (!inProgress.add(address)) {
      metrics.increment('http_rejected_total{reason="requests"}')
      sendError(tooManyRequestsError(), request, response, () => {})
      return
    }
    response.onEnd(() => inProgress.remove(address))
    handler(request, response)
  }
}

function findLimitedAddress(request: RequestMetadata, trust: TrustProxy): string | undefined {
  const peer = normalizeAddress(request.remoteAddress)
  const client = findForwardedClient(request, trust) ?? (trust(peer, 0) ? undefined : peer)
  return client === undefined ? undefined : getAddressBlock(client)
}

function tooManyRequestsError(): RelayError {
  return new RelayError('unavailable', 'Too many requests of this address are in progress.', {
    hint: 'Try again later.',
  })
}
