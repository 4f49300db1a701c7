import type { Socket } from 'node:net'
import { TcpProxy } from '../harness/tcp-proxy.js'
import type { Random } from '../random.js'

/** A load balancer: passes each connection to one of the nodes that run, by chance. */
export class Balancer extends TcpProxy {
  /** The ports of the nodes that get connections. */
  readonly ports = new Set<number>()
  readonly #random: Random

  constructor(random: Random) {
    super()
    this.#random = random
  }

  /** Takes a node out, and ends its connections, as after a failed health check. */
  remove(port: number): void {
    this.ports.delete(port)
    this.cutTarget(port)
  }

  protected override chooseTarget(): number | undefined {
    const ports = [...this.ports]
    return ports[this.#random.below(ports.length)]
  }

  protected override forward(client: Socket, node: Socket): void {
    client.pipe(node).pipe(client)
  }
}
