import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Finds free ports: all are opened before one is closed, so that none occurs twice. */
export async function findPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(server => once(server.close(), 'close')))
  return ports
}

/** Finds a free port. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findPorts(1)
  return port
}
