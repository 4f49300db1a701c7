import { setTimeout as sleep } from 'node:timers/promises'
import type { AcceptedMessage, ListedMessage } from '../oracle/history.js'
import { HttpClient, type HttpReply } from './http-client.js'

/** The keys of an account, as printed by `smsrelay account create`. */
export interface Keys {
  readonly secret_key: string
  readonly api_key: string
  readonly app_key: string
}

/** A message to create. */
export interface Draft {
  readonly text: string
  readonly destination: string
}

interface MessageReply {
  readonly message: {
    readonly id: string
    readonly message: string
    readonly status: ListedMessage['status']
    readonly status_date: string
    readonly delivery?: { readonly state: string }
  }
}

export interface EventRecord {
  readonly sequence: number
  readonly event: string
  readonly message: { readonly id: string }
}

interface EventPage {
  readonly events: readonly { readonly event: EventRecord }[]
  readonly missing?: boolean
}

const retryDelay = 40
const pageSize = 100

/**
 * An API client: creates messages and repeats each request until it succeeds, subscribes, lists.
 */
export class Integrator {
  /** Replies 503. */
  refusals = 0
  /** Requests without a reply. */
  unanswered = 0
  readonly #client: HttpClient
  readonly #keys: Keys
  #token: Promise<string> | undefined

  /** @param port the port of the relay or of its proxy */
  constructor(port: number, keys: Keys) {
    this.#client = new HttpClient(port)
    this.#keys = keys
  }

  /** Creates a message; repeats the request with the same key until the reply is 200. */
  async create(text: string, destination: string, signal: AbortSignal): Promise<AcceptedMessage> {
    const begun = performance.now()
    const message = { destination, message: text }
    const key = { 'idempotency-key': crypto.randomUUID() }
    const { body } = await this.#requestUntilOk('POST', '/api/1/message', key, { message }, signal)
    const { id } = (body as MessageReply).message
    return { id, text, begun, ended: performance.now() }
  }

  /** Creates messages in one request, like {@link create}. Throws if one of them is refused. */
  async createBatch(drafts: readonly Draft[], signal: AbortSignal): Promise<AcceptedMessage[]> {
    const begun = performance.now()
    const items = drafts.map(({ destination, text }) => {
      return { destination, message: text, idempotency_key: crypto.randomUUID() }
    })
    const path = '/api/1/message/batch'
    const { body } = await this.#requestUntilOk('POST', path, {}, items, signal)
    const ended = performance.now()
    const { results } = body as { results: Partial<MessageReply>[] }
    return drafts.map(({ text }, at) => {
      const id = results[at]?.message?.id
      if (id === undefined) throw new Error(`POST ${path}: ${JSON.stringify(results[at])}`)
      return { id, text, begun, ended }
    })
  }

  async subscribe(event: string, url: string, post: boolean, method = 'POST'): Promise<void> {
    await this.#requestUntilOk('POST', '/api/1/subscription', {}, { event, url, post, method })
  }

  /** Reports on a message; repeats the request with the same key until the reply is 200. */
  async report(id: string, outcome: 'success' | 'failure', signal: AbortSignal): Promise<void> {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const body = outcome === 'success' ? { parts: 1 } : { error_message: 'no carrier' }
    await this.#requestUntilOk('PUT', `/api/1/message/${id}/${outcome}`, key, body, signal)
  }

  /** Ends a token. */
  async revoke(token: string): Promise<void> {
    await this.#requestUntilOk('GET', `/oauth/revoke?token=${token}`, {})
  }

  async block(number: string): Promise<void> {
    await this.#requestUntilOk('POST', '/api/1/do-not-text', {}, { number })
  }

  /** Every recorded event of the account, in order; undefined if the relay does not list them. */
  async events(): Promise<EventRecord[] | undefined> {
    const all: EventRecord[] = []
    const known = await this.#try('GET', '/api/1/event?count=1', {}, undefined)
    if (known?.status === 404) return undefined
    for (;;) {
      const path = `/api/1/event?count=${pageSize}&after=${all.at(-1)?.sequence ?? 0}`
      const { body } = await this.#requestUntilOk('GET', path, {})
      const { events, missing } = body as EventPage
      if (missing === true) throw new Error('The relay has deleted events.')
      all.push(...events.map(({ event }) => event))
      if (events.length < pageSize) return all
    }
  }

  /** Every message of the account, in order of creation. */
  async list(signal?: AbortSignal): Promise<ListedMessage[]> {
    const all: ListedMessage[] = []
    for (;;) {
      const filter = { filter: 'all', order: 'asc', start: all.length, count: pageSize }
      const path = `/api/1/message?filter=${encodeURIComponent(JSON.stringify(filter))}`
      const { body } = await this.#requestUntilOk('GET', path, {}, undefined, signal)
      const { messages } = body as { messages: MessageReply[] }
      for (const { message } of messages) {
        const { id, status, message: text, status_date: statusDate, delivery } = message
        all.push({ id, text, status, statusDate, delivery: delivery?.state })
      }
      if (messages.length < pageSize) return all
    }
  }

  /** Every received text, in the order of its reports. */
  async received(): Promise<string[]> {
    const all: { readonly id: string; readonly message: string }[] = []
    for (;;) {
      const last = all.at(-1)?.id
      const before = last === undefined ? '' : `&before=${last}`
      const path = `/api/1/message/received?count=${pageSize}${before}`
      const { body } = await this.#requestUntilOk('GET', path, {})
      const { received } = body as { received: { received: { id: string; message: string } }[] }
      all.push(...received.map(each => each.received))
      if (received.length < pageSize) return all.map(({ message }) => message).reverse()
    }
  }

  /** Makes the next request get a new token. */
  forgetToken(): void {
    this.#token = undefined
  }

  close(): void {
    this.#client.close()
  }

  async #requestUntilOk(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    json?: unknown,
    signal?: AbortSignal,
  ): Promise<HttpReply> {
    for (;;) {
      const reply = await this.#try(method, path, headers, json)
      if (reply?.status === 200) return reply
      if (reply?.status === 401) this.forgetToken()
      else if (reply?.status === 503) this.refusals += 1
      else if (reply === undefined) this.unanswered += 1
      else throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
      await sleep(retryDelay, undefined, signal === undefined ? {} : { signal })
    }
  }

  async #try(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    json: unknown,
  ): Promise<HttpReply | undefined> {
    try {
      this.#token ??= this.#requestToken()
      const authorization = `Bearer ${await this.#token}`
      return await this.#client.request(method, path, { ...headers, authorization }, json)
    } catch {
      return undefined
    }
  }

  async #requestToken(): Promise<string> {
    const pair = Buffer.from(`${this.#keys.secret_key}:${this.#keys.api_key}`).toString('base64')
    try {
      const { status, body } = await this.#client.request('GET', '/oauth', {
        authorization: `Basic ${pair}`,
      })
      if (status === 503) this.refusals += 1
      if (status !== 200) throw new Error(`The reply to oauth was ${status}.`)
      return (body as { access_token: string }).access_token
    } catch (error) {
      this.#token = undefined
      throw error
    }
  }
}
