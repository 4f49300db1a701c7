import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '../../ports/listen-on-loopback.js'

/** A proxy of TCP connections on loopback, whose target can change or be down. */
export abstract class TcpProxy {
  /** Port of the target; undefined while it cannot be reached. */
  target: number | undefined
  readonly #server = createServer(client => this.#join(client))
  /** Both ends of each connection, with the port of its target. */
  readonly #sockets = new Map<Socket, number | undefined>()

  /** Resolves to its port. */
  async start(): Promise<number> {
    return await listenOnLoopback(this.#server)
  }

  /** Closes the server and every connection. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cutAll()
    await closed
  }

  cutAll(): void {
    for (const socket of this.#sockets.keys()) socket.destroy()
  }

  /** Ends the connections to a target. */
  cutTarget(port: number): void {
    for (const [socket, target] of this.#sockets) if (target === port) socket.destroy()
  }

  /** Chooses the port of the target of a new connection. */
  protected chooseTarget(): number | undefined {
    return this.target
  }

  /** Forwards the bytes of a connection in both directions; `cut` ends both. */
  protected abstract forward(client: Socket, upstream: Socket, cut: () => void): void

  #join(client: Socket): void {
    const target = this.chooseTarget()
    this.#track(client, target)
    if (target === undefined) {
      client.destroy()
      return
    }
    const upstream = connect(target, '127.0.0.1')
    this.#track(upstream, target)
    const cut = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.once('close', cut)
    this.forward(client, upstream, cut)
  }

  #track(socket: Socket, target: number | undefined): void {
    this.#sockets.set(socket, target)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
    socket.setNoDelay()
  }
}
