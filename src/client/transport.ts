import type { ZodMiniType } from 'zod/mini'
import type { Links } from '../contract/schema/link-schema.js'
import { parseReply } from '../contract/schema/parse.js'
import { type TokenReply, tokenReply } from '../contract/user-schema.js'
import { limits } from '../domain/limits.js'
import { isRelayError, RelayError } from '../errors.js'
import { createFetch } from '../net/client/fetch.js'
import { replyError, toRelayError } from './api-error.js'
import type { Call, Tagged } from './call-options.js'
import { createKySender, type RelayRequest, type RequestSender } from './request-sender.js'

/**
 * How a client signs in to the relay: a pair of keys, an e-mail address with its password, or a
 * token.
 */
export type Credentials =
  | { readonly user: string; readonly password: string }
  | { readonly token: string }

/** Options of a client's transport. */
export interface TransportOptions {
  /** Base address of the relay that the client calls, without `/api/1`. */
  readonly url: string
  readonly credentials: Credentials
  /** A token that an earlier client got, used until the relay rejects it. */
  readonly token?: string
  /** Finds a token of another client in place of one that the relay rejected. */
  readonly findToken?: (rejected: string | undefined) => Promise<string | undefined>
  /**
   * Called with each new token of the client before its first use, with the seconds that it lives
   * after a use, and with the token that it replaces. If it throws, the call fails.
   */
  readonly onToken?: (
    token: string,
    expiresIn: number,
    rejected: string | undefined,
  ) => void | Promise<void>
  /** Sends the client's requests. @default a fetch over node:http that follows no redirects */
  readonly fetch?: typeof fetch
  /** Sends the client's requests with retries. @default ky over node:http, or over `fetch` */
  readonly request?: RequestSender
  /** Milliseconds that a client's request may take. @default 30000 */
  readonly timeout?: number
  /** The client's retries of a request that is safe to repeat. @default 2 */
  readonly retries?: number
}

/** The query of a client's request for the first of the largest pages of a list. */
export const firstPage = { count: String(limits.listMax) }

/** A reply to the client's request for a page of a list. */
interface PageReply {
  readonly links?: Links | undefined
}

/** Sends the client's requests to a relay, renews rejected tokens, and checks the replies. */
export class Transport {
  readonly url: string
  readonly #options: TransportOptions
  readonly #fetch: typeof fetch
  readonly #sendRequest: RequestSender
  #token: Promise<string> | undefined
  #tokenCount = 0

  constructor(options: TransportOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.#options = options
    this.#fetch = options.fetch ?? createFetch()
    this.#sendRequest = options.request ?? createKySender(options.fetch)
    this.#token = options.token === undefined ? undefined : Promise.resolve(options.token)
  }

  /** How many tokens the client got from the relay. */
  get tokenCount(): number {
    return this.#tokenCount
  }

  /** Reads all pages of a list, from the page of `query` on (docs/reference/extensions.md). */
  async readPages<T extends PageReply>(
    path: string,
    schema: ZodMiniType<T>,
    { query = firstPage, ...options }: Call = {},
  ): Promise<T[]> {
    const pages: T[] = []
    for (let next: Record<string, string> = query; ; ) {
      const page = await this.call('GET', path, schema, { ...options, query: next })
      pages.push(page)
      const url = page.links?.next?.url
      if (url === undefined) return pages
      const { after } = next
      next = Object.fromEntries(new URL(url, this.url).searchParams)
      if (next.after === after)
        throw new RelayError('invalid_reply', `The list ${path} never ends.`)
    }
  }

  /** Sends a request to a path under `/api/1` and checks the reply's schema. Throws RelayError. */
  async call<T>(method: string, path: string, schema: ZodMiniType<T>, call: Call = {}): Promise<T> {
    return (await this.#sendWithToken(method, path, schema, call)).resource
  }

  /** Gets a resource at a path under `/api/1` with its version. Throws RelayError. */
  async get<T>(path: string, schema: ZodMiniType<T>, call: Call = {}): Promise<Tagged<T>> {
    return await this.#sendWithToken('GET', path, schema, call)
  }

  /** Sends GET to a path under `/api/1`; resolves before the reply's body. Throws RelayError. */
  async stream(path: string, call: Call): Promise<Response> {
    return await this.#withToken(call.signal, async token => {
      const { url, headers, signal } = this.#createRequest('GET', `/api/1${path}`, token, call)
      const options = { headers, redirect: 'manual', signal: signal ?? null } as const
      try {
        const response = await this.#fetch(url, options)
        if (response.ok) return response
        const retryAfter = response.headers.get('retry-after') ?? undefined
        const reply = { status: response.status, text: await response.text(), retryAfter }
        throw await replyError(reply, this.url)
      } catch (error) {
        throw await toRelayError(error, this.url, call.signal)
      }
    })
  }

  /** Sends a request without a token to any path and checks the reply. Throws RelayError. */
  async callWithoutToken<T>(
    method: string,
    path: string,
    schema: ZodMiniType<T>,
    call: Call = {},
  ): Promise<T> {
    return (await this.#send(method, path, schema, undefined, call)).resource
  }

  /**
   * Signs in: gets a new token (docs/reference/interface.md 4.1). Throws RelayError
   * `invalid_client`.
   */
  async issueToken(signal?: AbortSignal): Promise<TokenReply> {
    const { credentials } = this.#options
    if ('token' in credentials) {
      throw new RelayError('invalid_client', 'A token cannot issue another token; use keys.')
    }
    const pair = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
    const { resource } = await this.#send('GET', '/oauth', tokenReply, `Basic ${pair}`, { signal })
    return resource
  }

  async #withToken<T>(
    signal: AbortSignal | undefined,
    work: (authorization: string) => Promise<T>,
  ): Promise<T> {
    const token = await this.#getToken(signal)
    try {
      return await work(`Bearer ${token}`)
    } catch (error) {
      if (!isRelayError(error, 'invalid_token') || 'token' in this.#options.credentials) throw error
      if ((await this.#token) === token) this.#token = undefined
      return await work(`Bearer ${await this.#getToken(signal, token)}`)
    }
  }

  async #getToken(signal?: AbortSignal, rejected?: string): Promise<string> {
    const { credentials } = this.#options
    if ('token' in credentials) return credentials.token
    this.#token ??= this.#renewToken(signal, rejected)
    try {
      return await this.#token
    } catch (error) {
      this.#token = undefined
      throw error
    }
  }

  async #renewToken(signal?: AbortSignal, rejected?: string): Promise<string> {
    const token =
      (await this.#options.findToken?.(rejected)) ?? (await this.#issue(signal, rejected))
    this.#tokenCount += 1
    return token
  }

  async #issue(signal?: AbortSignal, rejected?: string): Promise<string> {
    const { access_token: token, expires_in: expiresIn } = await this.issueToken(signal)
    await this.#options.onToken?.(token, expiresIn, rejected)
    return token
  }

  async #sendWithToken<T>(
    method: string,
    path: string,
    schema: ZodMiniType<T>,
    call: Call,
  ): Promise<Tagged<T>> {
    return await this.#withToken(
      call.signal,
      async token => await this.#send(method, `/api/1${path}`, schema, token, call),
    )
  }

  async #send<T>(
    method: string,
    path: string,
    schema: ZodMiniType<T>,
    authorization: string | undefined,
    call: Call,
  ): Promise<Tagged<T>> {
    try {
      const reply = await this.#sendRequest(this.#createRequest(method, path, authorization, call))
      if (reply.status < 200 || reply.status > 299) throw await replyError(reply, this.url)
      return { resource: parseReply(schema, JSON.parse(reply.text)), tag: reply.tag }
    } catch (error) {
      throw await toRelayError(error, this.url, call.signal)
    }
  }

  #createRequest(
    method: string,
    path: string,
    authorization: string | undefined,
    call: Call,
  ): RelayRequest {
    const { timeout = 30_000, retries = 2 } = this.#options
    const isRepeatable = call.repeatable ?? !['POST', 'PATCH', 'DELETE'].includes(method)
    const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query)}`
    return {
      method,
      url: `${this.url}${path}${query}`,
      headers: {
        ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(typeof call.headers === 'function' ? call.headers() : call.headers),
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: call.json === undefined ? undefined : JSON.stringify(call.json),
      timeout: call.timeout ?? timeout,
      retries: isRepeatable ? retries : 0,
      signal: call.signal,
    }
  }
}
