import type { IncomingHttpHeaders } from 'node:http'
import { sendRequest } from '../../../net/client/send-request.js'

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** A relay's reply to a request of `verify`; `body` is undefined if it is not JSON. */
export interface VerifyReply {
  readonly request: SentRequest
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: unknown
}

export type Fields = Readonly<Record<string, unknown>>

export interface Payload {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface VerifyHttpOptions {
  readonly signal: AbortSignal
  /** Milliseconds until a reply to `verify` is complete. */
  readonly timeout: number
  readonly onReply?: (reply: VerifyReply) => void
}

const maxBody = 16 * 1024 * 1024
/** Milliseconds that a request in progress gets after Ctrl-C; its reply says what to remove. */
const graceTime = 3000

export class VerifyHttp {
  readonly #options: VerifyHttpOptions
  readonly #end = new AbortController()
  /** Ends the requests of a rule whose time is over. */
  limit: AbortSignal | undefined
  /** Milliseconds that the replies of a rule may still take together. */
  timeLeft = Number.POSITIVE_INFINITY
  #lastRequest: SentRequest | undefined

  constructor(options: VerifyHttpOptions) {
    this.#options = options
    const { signal } = options
    const abort = (): void => this.#end.abort(signal.reason)
    signal.addEventListener('abort', () => setTimeout(abort, graceTime).unref(), { once: true })
  }

  get signal(): AbortSignal {
    return this.#options.signal
  }

  get lastRequest(): SentRequest | undefined {
    return this.#lastRequest
  }

  async send(method: string, url: string, payload: Payload = {}): Promise<VerifyReply> {
    const { signal, onReply } = this.#options
    const timeout = Math.max(Math.min(this.#options.timeout, Math.ceil(this.timeLeft)), 1)
    const started = performance.now()
    const request = { method, url, headers: payload.headers ?? {}, body: payload.body }
    signal.throwIfAborted()
    this.limit?.throwIfAborted()
    this.#lastRequest = request
    const ends = this.limit === undefined ? [this.#end.signal] : [this.#end.signal, this.limit]
    const options = { signal: AbortSignal.any(ends), timeout, maxBody, resendWhenStale: true }
    const { status, headers, body } = await sendRequest(request, options).finally(() => {
      this.timeLeft -= performance.now() - started
    })
    const text = body.toString('utf8')
    const reply = { request, status, headers, text, body: parseBody(text) }
    onReply?.(reply)
    return reply
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export class VerifyCaller {
  readonly #http: VerifyHttp
  readonly #baseUrl: string
  readonly token: string

  constructor(http: VerifyHttp, baseUrl: string, token: string) {
    this.#http = http
    this.#baseUrl = baseUrl
    this.token = token
  }

  async call(method: string, path: string, payload: Payload = {}): Promise<VerifyReply> {
    return await this.follow(method, `${this.#baseUrl}/api/1${path}`, payload)
  }

  /** Sends a request of `verify` to a full address, for example of a link. */
  async follow(method: string, url: string, payload: Payload = {}): Promise<VerifyReply> {
    const headers = { authorization: `Bearer ${this.token}`, ...payload.headers }
    return await this.#http.send(method, url, { ...payload, headers })
  }

  get(path: string): Promise<VerifyReply> {
    return this.call('GET', path)
  }

  post(path: string, fields: Fields): Promise<VerifyReply> {
    return this.call('POST', path, encodeForm(fields))
  }

  patch(path: string, fields: Fields): Promise<VerifyReply> {
    return this.call('PATCH', path, encodeForm(fields))
  }

  put(path: string, value: unknown): Promise<VerifyReply> {
    return this.call('PUT', path, encodeJson(value))
  }

  delete(path: string): Promise<VerifyReply> {
    return this.call('DELETE', path)
  }

  next(): Promise<VerifyReply> {
    return this.call('NEXT', '/message')
  }
}

/** Encodes POST-style fields for `verify`; a value other than a string becomes JSON. */
export function encodeForm(fields: Fields): Payload {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(pairs).toString(),
  }
}

export function encodeJson(value: unknown): Payload {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

export function encodeBasic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}
