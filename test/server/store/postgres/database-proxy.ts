import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A database behind a proxy of this test, which can fail in several ways. */
export interface DatabaseProxy {
  readonly url: string
  /** Ends all connections and refuses new ones. */
  stop(): Promise<void>
  /** Accepts connections again, on the same port. */
  start(): Promise<void>
  /** Accepts connections and answers nothing more, as a server that hangs. */
  freeze(): void
}

/** Runs a proxy in front of a database until the end of the test. */
export async function runDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const url = new URL(target)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    if (isFrozen) return
    const upstream = connect(Number(port), hostname)
    sockets.add(upstream.on('error', () => {}))
    socket.pipe(upstream).pipe(socket)
    socket.on('close', () => upstream.destroy())
    upstream.on('close', () => socket.destroy())
  })
  const start = async (own = Number(url.port)) => {
    isFrozen = false
    server.listen(own, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await closed
  }
  await start(0)
  onTestFinished(stop)
  url.port = `${(server.address() as AddressInfo).port}`
  const freeze = () => {
    isFrozen = true
    for (const socket of sockets) socket.unpipe().pause()
  }
  return { url: url.href, stop, start, freeze }
}
