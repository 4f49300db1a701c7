import { Agent } from 'node:http'
import { sendRequest } from '../../../src/net/client/send-request.js'
import type { Keys } from './relay-process.js'

/** A reply; `body` is undefined if it is not JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

const timeout = 30_000

/** A client that keeps its connections, from a loopback address of its own. */
export class ApiClient {
  readonly #agent: Agent
  readonly #url: string
  #token = ''

  /** @param address the client's address; other ones of 127.0.0.0/8 need Linux */
  constructor(port: number, address = '127.0.0.1') {
    this.#url = `http://127.0.0.1:${port}`
    this.#agent = new Agent({ keepAlive: true, localAddress: address })
  }

  get token(): string {
    return this.#token
  }

  /** Gets a token with the API key or, for a phone, the application key. */
  async signIn({ secret_key, api_key, app_key }: Keys, isPhone = false): Promise<this> {
    const login = Buffer.from(`${secret_key}:${isPhone ? app_key : api_key}`).toString('base64')
    const { status, body } = await this.send('GET', '/oauth', { authorization: `Basic ${login}` })
    if (status !== 200) throw new Error(`Signing in got ${status}.`)
    this.#token = (body as { access_token: string }).access_token
    return this
  }

  /** Sends a request below /api/1. */
  async call(method: string, path: string, fields?: object): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.#token}` }
    return await this.send(method, `/api/1${path}`, headers, fields)
  }

  /** The same; throws if the reply is not 200. */
  async get(method: string, path: string, fields?: object): Promise<unknown> {
    const reply = await this.call(method, path, fields)
    if (reply.status !== 200) throw new Error(`${method} ${path} got ${reply.status}.`)
    return reply.body
  }

  async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    fields?: object,
  ): Promise<Reply> {
    const json: Record<string, string> =
      fields === undefined ? {} : { 'content-type': 'application/json' }
    const reply = await sendRequest(
      {
        method,
        url: `${this.#url}${path}`,
        headers: { ...headers, ...json },
        body: fields === undefined ? undefined : JSON.stringify(fields),
      },
      { agent: this.#agent, timeout },
    )
    return { status: reply.status, headers: reply.headers, body: parseBody(reply.body) }
  }

  close(): void {
    this.#agent.destroy()
  }
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}
