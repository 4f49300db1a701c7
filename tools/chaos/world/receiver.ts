import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Receives the webhooks of a cell and records their order. */
export class Receiver {
  /** By name of the subscription: message of each webhook, in order. */
  readonly arrivals = new Map<string, string[]>()
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response))
  }

  /** Listens; resolves to its port. */
  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Closes the server with all connections. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://receiver')
    const body = await text(request).catch(() => undefined)
    // An incomplete webhook has not arrived.
    if (body === undefined) return
    const name = url.pathname.replace('/hook/', '')
    const id = url.searchParams.get('message[id]') ?? idIn(body)
    this.arrivals.set(name, [...(this.arrivals.get(name) ?? []), id])
    response.end()
  }
}

function idIn(body: string): string {
  return (JSON.parse(body) as { message: { id: string } }).message.id
}
