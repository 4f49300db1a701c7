import type { Socket } from 'node:net'
import { TcpProxy } from '../harness/tcp-proxy.js'

/** How many bytes a connection forwards in one direction until it is cut; undefined for all. */
export type ByteLimit = () => number | undefined

/** Passes connections on to the database, and cuts them at exact bytes. */
export class DatabaseProxy extends TcpProxy {
  /** Chooses the limit of each direction of each connection. @default none */
  chooseLimit: ByteLimit = () => undefined
  /** Connections that were cut at their limit. */
  cuts = 0

  protected override forward(client: Socket, upstream: Socket, cut: () => void): void {
    this.#forwardTo(upstream, client, cut)
    this.#forwardTo(client, upstream, cut)
  }

  #forwardTo(to: Socket, from: Socket, cut: () => void): void {
    let left = this.chooseLimit()
    from.on('data', (data: Buffer) => {
      if (left === undefined || left > data.length) {
        to.write(data)
        if (left !== undefined) left -= data.length
        return
      }
      this.cuts += 1
      const part = data.subarray(0, left)
      // The bytes before the cut arrive.
      from.removeAllListeners('data').resume()
      to.end(part, cut)
    })
  }
}
