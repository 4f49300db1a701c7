import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { selfSigned } from '../../../certificate.js'

/** Size of the message with which a client of PostgreSQL asks for TLS. */
const requestBytes = 8

/** Serves TLS as PostgreSQL does and passes the content on; returns the URL of that server. */
export async function serveTls(
  url: string,
  { cert, key }: typeof selfSigned,
  host = '127.0.0.1',
): Promise<URL> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const add = <T extends Socket>(socket: T): T => {
    sockets.add(socket.on('error', () => {}))
    return socket
  }
  const server = createServer(async socket => {
    add(socket)
    while (socket.read(requestBytes) === null) await once(socket, 'readable')
    socket.write('S')
    const plain = add(new TLSSocket(socket, { isServer: true, cert, key }))
    const upstream = add(connect(Number(target.port), target.hostname))
    plain.pipe(upstream).pipe(plain)
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  })
  const own = new URL(url)
  own.hostname = host
  own.port = `${(server.address() as AddressInfo).port}`
  return own
}
