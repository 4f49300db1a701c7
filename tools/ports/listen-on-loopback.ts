import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Opens a server on a random port, for this machine only; resolves to the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
