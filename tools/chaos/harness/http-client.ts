import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface HttpReply {
  readonly status: number
  readonly body: unknown
}

/** An HTTP client for one port on loopback. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  /** Sends one request, with JSON or without a body. Rejects without a complete reply. */
  async request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    json?: unknown,
  ): Promise<HttpReply> {
    const body = json === undefined ? undefined : JSON.stringify(json)
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    return await new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.#port, method, path, agent: this.#agent }
      const sent = request({ ...options, headers: { ...headers, ...type } })
      sent.on('error', reject)
      sent.on('response', response => {
        text(response)
          .then(reply => resolve({ status: response.statusCode ?? 0, body: JSON.parse(reply) }))
          .catch(reject)
      })
      sent.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
