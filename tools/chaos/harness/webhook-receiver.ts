import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from '../../ports/listen-on-loopback.js'

/** Receives the webhooks of a scenario and records their order. */
export class WebhookReceiver {
  /** Message identifiers of all webhooks in order, by name of the subscription. */
  readonly arrivals = new Map<string, string[]>()
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response))
  }

  /** Resolves to its port. */
  async start(): Promise<number> {
    return await listenOnLoopback(this.#server)
  }

  /** Closes the server and every connection. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://receiver')
    const body = await text(request).catch(() => undefined)
    // A webhook whose body broke off has not arrived.
    if (body === undefined) return
    const name = url.pathname.replace('/webhook/', '')
    const id = url.searchParams.get('message[id]') ?? parseMessageId(body)
    this.arrivals.set(name, [...(this.arrivals.get(name) ?? []), id])
    response.end()
  }
}

function parseMessageId(body: string): string {
  return (JSON.parse(body) as { message: { id: string } }).message.id
}
