import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server on a free port, until the end of the test. */
export async function listen(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise(resolve => server.close(resolve))
  }
  onTestFinished(close)
  return { port, close }
}
