import type { RelayClient, RelayClientOptions } from '../../client/relay-client.js'

/** A client for the few requests of one command, loaded only now: help and mistyped flags need none. */
export async function openClient(options: RelayClientOptions): Promise<RelayClient> {
  const { RelayClient } = await import('../../client/relay-client.js')
  const { httpRequester } = await import('../../net/client/http-request.js')
  return new RelayClient({ request: httpRequester, ...options })
}
