import type { ZodMiniType } from 'zod/mini'
import { parseReply } from '../contract/schema/parse.js'
import { type TokenReply, tokenReply } from '../contract/user-schema.js'
import { isRelayError, RelayError } from '../errors.js'
import type { Requester, WireRequest } from '../net/client/request.js'
import { replyError, toRelayError } from './api-error.js'

/** How a client signs in: a key pair, an e-mail with its password, or a token that is there already. */
export type Credentials =
  | { readonly user: string; readonly password: string }
  | { readonly token: string }

/** Options of a {@link Transport}. */
export interface TransportOptions {
  /** Base address of the relay, without `/api/1`. */
  readonly url: string
  readonly credentials: Credentials
  /** A token of an earlier client, used until it is refused; the next one is issued for the credentials. */
  readonly token?: string
  /** Told of each token that is issued, before it is used; that it throws fails the call. */
  readonly onToken?: (token: string) => void | Promise<void>
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** How requests are sent, instead of ky over `fetch`. */
  readonly request?: Requester
  /** Milliseconds a request may take. @default 30000 */
  readonly timeout?: number
  /** How often a request that is safe to repeat is tried again. @default 2 */
  readonly retries?: number
}

/** One call of the interface. */
export interface Call {
  readonly json?: unknown
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. */
  readonly timeout?: number
  /** Whether a repeated request does no harm; every method but POST, PATCH and DELETE unless told. */
  readonly repeatable?: boolean
}

/** Requests to a relay: holds the token, renews it when it is refused, and turns replies into values or {@link RelayError}s. */
export class Transport {
  readonly url: string
  readonly #options: TransportOptions
  #token: Promise<string> | undefined
  #requester: Promise<Requester> | undefined

  constructor(options: TransportOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.#options = options
    this.#token = options.token === undefined ? undefined : Promise.resolve(options.token)
  }

  /** Calls a path under `/api/1` and checks the reply. Throws RelayError. */
  async call<T>(method: string, path: string, schema: ZodMiniType<T>, call: Call = {}): Promise<T> {
    return await this.#authorized(
      call.signal,
      async token => await this.#exchange(method, `/api/1${path}`, schema, token, call),
    )
  }

  /** GETs a path under `/api/1` whose reply goes on; resolves to its beginning. Throws RelayError. */
  async stream(path: string, call: Call): Promise<Response> {
    const fetch = this.#options.fetch ?? globalThis.fetch
    return await this.#authorized(call.signal, async token => {
      const { url, headers, signal } = this.#request('GET', `/api/1${path}`, token, call)
      const options = { headers, redirect: 'manual', signal: signal ?? null } as const
      try {
        const response = await fetch(url, options)
        if (response.ok) return response
        const retryAfter = response.headers.get('retry-after') ?? undefined
        throw replyError({ status: response.status, text: await response.text(), retryAfter })
      } catch (error) {
        throw toRelayError(error, this.url, call.signal)
      }
    })
  }

  /** Does what needs a token, and does it again with a new one when it is refused. */
  async #authorized<T>(
    signal: AbortSignal | undefined,
    work: (authorization: string) => Promise<T>,
  ): Promise<T> {
    const token = await this.token(signal)
    try {
      return await work(formatBearer(token))
    } catch (error) {
      if (!isRelayError(error, 'invalid_token') || 'token' in this.#options.credentials) throw error
      if ((await this.#token) === token) this.#token = undefined
      return await work(formatBearer(await this.token(signal)))
    }
  }

  /** The token in use, issued when there is none yet. Throws RelayError `invalid_client`. */
  async token(signal?: AbortSignal): Promise<string> {
    const { credentials } = this.#options
    if ('token' in credentials) return credentials.token
    this.#token ??= this.#renew(signal)
    try {
      return await this.#token
    } catch (error) {
      this.#token = undefined
      throw error
    }
  }

  async #renew(signal?: AbortSignal): Promise<string> {
    const { access_token: token } = await this.issueToken(signal)
    await this.#options.onToken?.(token)
    return token
  }

  /** Issues a new token (SPEC.md section 4.1). Throws RelayError `invalid_client`. */
  async issueToken(signal?: AbortSignal): Promise<TokenReply> {
    const { credentials } = this.#options
    if ('token' in credentials) {
      throw new RelayError('invalid_client', 'A token cannot issue another token; keys are needed.')
    }
    const pair = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
    return await this.#exchange('GET', '/oauth', tokenReply, `Basic ${pair}`, { signal })
  }

  /** Calls any path without a token and checks the reply. Throws RelayError. */
  async callWithoutToken<T>(
    method: string,
    path: string,
    schema: ZodMiniType<T>,
    call: Call = {},
  ): Promise<T> {
    return await this.#exchange(method, path, schema, undefined, call)
  }

  async #exchange<T>(
    method: string,
    path: string,
    schema: ZodMiniType<T>,
    authorization: string | undefined,
    call: Call,
  ): Promise<T> {
    try {
      const send = await this.#send()
      const reply = await send(this.#request(method, path, authorization, call))
      if (reply.status < 200 || reply.status > 299) throw replyError(reply)
      return parseReply(schema, JSON.parse(reply.text))
    } catch (error) {
      throw toRelayError(error, this.url, call.signal)
    }
  }

  /** ky is loaded by the first request that needs it: it brings fetch along. */
  async #send(): Promise<Requester> {
    const { fetch, request } = this.#options
    if (request !== undefined) return request
    this.#requester ??= import('./ky-request.js').then(({ createKyRequester: kyRequester }) =>
      kyRequester(fetch),
    )
    return await this.#requester
  }

  #request(
    method: string,
    path: string,
    authorization: string | undefined,
    call: Call,
  ): WireRequest {
    const { timeout = 30_000, retries = 2 } = this.#options
    const repeatable = call.repeatable ?? !['POST', 'PATCH', 'DELETE'].includes(method)
    const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query)}`
    const json = call.json === undefined ? {} : { 'content-type': 'application/json' }
    return {
      method,
      url: `${this.url}${path}${query}`,
      headers: {
        ...json,
        ...call.headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
      timeout: call.timeout ?? timeout,
      retries: repeatable ? retries : 0,
      signal: call.signal,
    }
  }
}

function formatBearer(token: string): string {
  return `Bearer ${token}`
}
