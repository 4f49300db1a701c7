import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Part } from './part.js'

/**
 * Passes each connection to one of the nodes in turn, or to the next one that accepts it. A
 * connection ends with that to its node.
 */
export async function startProxy(port: number, getPorts: () => readonly number[]): Promise<Part> {
  const clients = new Set<Socket>()
  let turn = 0
  const server = createServer(client => {
    clients.add(client)
    client.on('close', () => clients.delete(client)).on('error', () => client.destroy())
    turn += 1
    const ports = getPorts()
    forward(client, [...ports.slice(turn % ports.length), ...ports.slice(0, turn % ports.length)])
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const client of clients) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function forward(client: Socket, [port, ...others]: readonly number[]): void {
  if (port === undefined) {
    client.destroy()
    return
  }
  const node = connect(port, '127.0.0.1')
  client.once('close', () => node.destroy())
  node.once('error', () => forward(client, others))
  node.once('connect', () => {
    node.removeAllListeners('error').on('error', () => client.destroy())
    node.on('close', () => client.destroy())
    client.pipe(node).pipe(client)
  })
}
