import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy of TCP connections on loopback, whose target can change or be down. */
export abstract class TcpProxy {
  /** Port of the target; undefined while it cannot be reached. */
  target: number | undefined
  readonly #server = createServer(client => this.#join(client))
  readonly #sockets = new Set<Socket>()

  /** Resolves to its port. */
  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Closes the server and every connection. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cutAll()
    await closed
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Forwards the bytes of a connection in both directions; `cut` ends both. */
  protected abstract forward(client: Socket, upstream: Socket, cut: () => void): void

  #join(client: Socket): void {
    this.#track(client)
    if (this.target === undefined) {
      client.destroy()
      return
    }
    const upstream = connect(this.target, '127.0.0.1')
    this.#track(upstream)
    const cut = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.once('close', cut)
    this.forward(client, upstream, cut)
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
    socket.setNoDelay()
  }
}
