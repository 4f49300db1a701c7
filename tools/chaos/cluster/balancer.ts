import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Random } from '../random.js'

/** A load balancer: passes each connection to one of the nodes that run, by chance. */
export class Balancer {
  /** The ports of the nodes that get connections. */
  readonly ports = new Set<number>()
  readonly #random: Random
  readonly #server = createServer(client => this.#join(client))
  readonly #sockets = new Map<Socket, number>()

  constructor(random: Random) {
    this.#random = random
  }

  /** Resolves to its port. */
  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets.keys()) socket.destroy()
    await closed
  }

  /** Takes a node out, and ends its connections, as after a failed health check. */
  remove(port: number): void {
    this.ports.delete(port)
    for (const [socket, target] of this.#sockets) if (target === port) socket.destroy()
  }

  /** Ends all connections, so that the next ones are spread over the nodes again. */
  spread(): void {
    for (const socket of this.#sockets.keys()) socket.destroy()
  }

  #join(client: Socket): void {
    const ports = [...this.ports]
    const port = ports[this.#random.below(ports.length)]
    client.on('error', () => {})
    if (port === undefined) {
      client.destroy()
      return
    }
    const node = connect(port, '127.0.0.1')
    node.on('error', () => {})
    for (const [one, other] of [
      [client, node],
      [node, client],
    ] as const) {
      this.#sockets.set(one, port)
      one.setNoDelay()
      one.once('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
    }
    client.pipe(node).pipe(client)
  }
}
