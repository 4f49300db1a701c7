import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** How many bytes a connection forwards in one direction until it is cut; undefined for all. */
export type ByteLimit = () => number | undefined

/** Passes TCP connections on to a port, which can change, and cuts them at exact bytes. */
export class DatabaseProxy {
  /** Port of the target; undefined while it cannot be reached. */
  target: number | undefined
  /** Chooses the limit of each direction of each connection. @default none */
  chooseLimit: ByteLimit = () => undefined
  /** Connections that were cut at their limit. */
  cuts = 0
  readonly #server = createServer(client => this.#join(client))
  readonly #sockets = new Set<Socket>()

  /** Resolves to its port. */
  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cutAll()
    await closed
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(client: Socket): void {
    this.#track(client)
    if (this.target === undefined) {
      client.destroy()
      return
    }
    const server = connect(this.target, '127.0.0.1')
    this.#track(server)
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.once('close', end)
    this.#forward(client, server, end)
    this.#forward(server, client, end)
  }

  #forward(from: Socket, to: Socket, end: () => void): void {
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
      to.end(part, end)
    })
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
    socket.setNoDelay()
  }
}
