import type { RelayClient, RelayClientOptions } from '../../client/relay-client.js'

/** A client for one command. It is loaded late, because help and usage errors do not need it. */
export async function openClient(options: RelayClientOptions): Promise<RelayClient> {
  const { RelayClient } = await import('../../client/relay-client.js')
  const { sendWithoutKy } = await import('../../client/request-sender.js')
  return new RelayClient({ request: sendWithoutKy, ...options })
}
