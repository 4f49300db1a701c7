import { setTimeout as sleep } from 'node:timers/promises'
import type { Accepted, Listed } from '../oracle/history.js'
import { Client, type Reply } from './http.js'

/** The keys of an account, as `smsrelay account create` prints them. */
export interface Keys {
  readonly secret_key: string
  readonly api_key: string
  readonly app_key: string
}

interface Envelope {
  readonly message: {
    readonly id: string
    readonly message: string
    readonly status: Listed['status']
    readonly status_date: string
  }
}

/** An event as the relay lists it. */
export interface EventRecord {
  readonly sequence: number
  readonly event: string
  readonly message: { readonly id: string }
}

interface EventPage {
  readonly events: readonly { readonly event: EventRecord }[]
  readonly missing?: boolean
}

const between = 40
const page = 100

/** A customer's program: creates messages with retries, subscribes and lists. */
export class Integrator {
  /** Number of replies `unavailable`. */
  refusals = 0
  /** Number of requests without a reply. */
  unanswered = 0
  readonly #client: Client
  readonly #keys: Keys
  #token: Promise<string> | undefined

  /** @param port of the relay or of the proxy in front of it */
  constructor(port: number, keys: Keys) {
    this.#client = new Client(port)
    this.#keys = keys
  }

  /** Creates a message; repeats the request with the same key until it gets 200. */
  async create(text: string, destination: string, signal: AbortSignal): Promise<Accepted> {
    const begun = performance.now()
    const message = { destination, message: text }
    const key = { 'idempotency-key': crypto.randomUUID() }
    const { body } = await this.#requestUntilDone(
      'POST',
      '/api/1/message',
      key,
      { message },
      signal,
    )
    const { id } = (body as Envelope).message
    return { id, text, begun, ended: performance.now() }
  }

  /** Subscribes an address to an event. */
  async subscribe(event: string, url: string, post: boolean, method = 'POST'): Promise<void> {
    await this.#requestUntilDone('POST', '/api/1/subscription', {}, { event, url, post, method })
  }

  /** Reports on a message; repeats the request with the same key until it gets 200. */
  async report(id: string, outcome: 'success' | 'failure', signal: AbortSignal): Promise<void> {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const body = outcome === 'success' ? { parts: 1 } : { error_message: 'no carrier' }
    await this.#requestUntilDone('PUT', `/api/1/message/${id}/${outcome}`, key, body, signal)
  }

  /** Adds a number to the account's Do Not Text list. */
  async block(number: string): Promise<void> {
    await this.#requestUntilDone('POST', '/api/1/do-not-text', {}, { number })
  }

  /** All events of the account, in order; undefined if the relay does not list them. */
  async events(): Promise<EventRecord[] | undefined> {
    const all: EventRecord[] = []
    const known = await this.#try('GET', '/api/1/event?count=1', {}, undefined)
    if (known?.status === 404) return undefined
    for (;;) {
      const path = `/api/1/event?count=${page}&after=${all.at(-1)?.sequence ?? 0}`
      const { body } = await this.#requestUntilDone('GET', path, {})
      const { events, missing } = body as EventPage
      if (missing === true) throw new Error('Events are missing.')
      all.push(...events.map(({ event }) => event))
      if (events.length < page) return all
    }
  }

  /** All messages of the account, in order of creation. */
  async list(signal?: AbortSignal): Promise<Listed[]> {
    const all: Listed[] = []
    for (;;) {
      const filter = { filter: 'all', order: 'asc', start: all.length, count: page }
      const path = `/api/1/message?filter=${encodeURIComponent(JSON.stringify(filter))}`
      const { body } = await this.#requestUntilDone('GET', path, {}, undefined, signal)
      const { messages } = body as { messages: Envelope[] }
      for (const { message } of messages) {
        const { id, status, message: text, status_date: since } = message
        all.push({ id, text, status, since })
      }
      if (messages.length < page) return all
    }
  }

  /** All received texts, in the order of their reports. */
  async received(): Promise<string[]> {
    const all: { readonly id: string; readonly message: string }[] = []
    for (;;) {
      const last = all.at(-1)?.id
      const before = last === undefined ? '' : `&before=${last}`
      const path = `/api/1/message/received?count=${page}${before}`
      const { body } = await this.#requestUntilDone('GET', path, {})
      const { received } = body as { received: { received: { id: string; message: string } }[] }
      all.push(...received.map(each => each.received))
      if (received.length < page) return all.map(({ message }) => message).reverse()
    }
  }

  /** Lets the next request get a new token. */
  forgetToken(): void {
    this.#token = undefined
  }

  /** Closes the connections. */
  close(): void {
    this.#client.close()
  }

  async #requestUntilDone(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    json?: unknown,
    signal?: AbortSignal,
  ): Promise<Reply> {
    for (;;) {
      const reply = await this.#try(method, path, headers, json)
      if (reply?.status === 200) return reply
      if (reply?.status === 401) this.forgetToken()
      else if (reply?.status === 503) this.refusals += 1
      else if (reply === undefined) this.unanswered += 1
      else throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
      await sleep(between, undefined, signal === undefined ? {} : { signal })
    }
  }

  async #try(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    json: unknown,
  ): Promise<Reply | undefined> {
    try {
      this.#token ??= this.#issue()
      const authorization = `Bearer ${await this.#token}`
      return await this.#client.ask(method, path, { ...headers, authorization }, json)
    } catch {
      return undefined
    }
  }

  async #issue(): Promise<string> {
    const pair = Buffer.from(`${this.#keys.secret_key}:${this.#keys.api_key}`).toString('base64')
    try {
      const { status, body } = await this.#client.ask('GET', '/oauth', {
        authorization: `Basic ${pair}`,
      })
      if (status === 503) this.refusals += 1
      if (status !== 200) throw new Error(`oauth got ${status}.`)
      return (body as { access_token: string }).access_token
    } catch (error) {
      this.#token = undefined
      throw error
    }
  }
}
