import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Receives the hits of a cell and keeps them in the order in which they came. */
export class Receiver {
  /** Identifiers of messages by the name of the subscription, every hit of it in turn. */
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

  /** Ends it with every connection. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://receiver')
    const body = await text(request).catch(() => undefined)
    // A hit that was cut off before its end has not arrived.
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
