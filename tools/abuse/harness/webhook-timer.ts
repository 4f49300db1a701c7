import { once } from 'node:events'
import { createServer } from 'node:http'
import { listenOnLoopback } from '../../ports/listen-on-loopback.js'
import type { ApiClient } from './api-client.js'
import { getP99 } from './latency.js'

/** Measures the time from the reply of a create to its webhook. */
export class WebhookTimer {
  readonly #client: ApiClient
  readonly #arrived = new Map<string, number>()
  readonly #server = createServer((request, response) => {
    const id = new URL(request.url ?? '/', 'http://receiver').searchParams.get('message[id]')
    this.#arrived.set(id ?? '', performance.now())
    this.#server.emit('webhook')
    response.writeHead(204).end()
  })

  constructor(client: ApiClient) {
    this.#client = client
  }

  async open(): Promise<void> {
    const url = `http://127.0.0.1:${await listenOnLoopback(this.#server.setMaxListeners(0))}/`
    await this.#client.get('POST', '/subscription', { event: 'message.create', url })
  }

  /** The p99 of `count` events, one after the other, in milliseconds. */
  async measureP99(count: number): Promise<number> {
    const times: number[] = []
    for (let number = 0; number < count; number += 1) {
      const draft = { destination: '+12025550123', message: `event ${number}` }
      const from = performance.now()
      const made = await this.#client.get('POST', '/message', { message: draft })
      const { id } = (made as { message: { id: string } }).message
      while (!this.#arrived.has(id)) await once(this.#server, 'webhook')
      times.push((this.#arrived.get(id) ?? Number.NaN) - from)
    }
    return getP99(times)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
