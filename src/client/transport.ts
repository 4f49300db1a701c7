import ky, { HTTPError, type KyInstance, type Options, TimeoutError } from 'ky'
import type { z } from 'zod'
import { parseReply } from '../contract/parse.js'
import { errorReply, type TokenReply, tokenReply } from '../contract/user.js'
import { type ErrorCode, errorCodes, isRelayError, RelayError } from '../errors.js'

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

/** Requests to a relay over ky: holds the token, renews it when it is refused, and turns replies into values or {@link RelayError}s. */
export class Transport {
  readonly url: string
  readonly #ky: KyInstance
  readonly #options: TransportOptions
  #token: Promise<string> | undefined

  constructor(options: TransportOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.#options = options
    this.#token = options.token === undefined ? undefined : Promise.resolve(options.token)
    this.#ky = ky.create({
      timeout: options.timeout ?? 30_000,
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    })
  }

  /** Calls a path under `/api/1` and checks the reply. Throws RelayError. */
  async call<T>(method: string, path: string, schema: z.ZodType<T>, call: Call = {}): Promise<T> {
    const token = await this.token(call.signal)
    try {
      return await this.#send(method, `/api/1${path}`, schema, bearer(token), call)
    } catch (error) {
      if (!isRelayError(error, 'invalid_token') || 'token' in this.#options.credentials) throw error
      if ((await this.#token) === token) this.#token = undefined
      const renewed = await this.token(call.signal)
      return await this.#send(method, `/api/1${path}`, schema, bearer(renewed), call)
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
    const { access_token: token } = await this.issue(signal)
    await this.#options.onToken?.(token)
    return token
  }

  /** Issues a new token (SPEC.md section 4.1). Throws RelayError `invalid_client`. */
  async issue(signal?: AbortSignal): Promise<TokenReply> {
    const { credentials } = this.#options
    if ('token' in credentials) {
      throw new RelayError('invalid_client', 'A token cannot issue another token; keys are needed.')
    }
    const pair = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
    return await this.#send('GET', '/oauth', tokenReply, `Basic ${pair}`, { signal })
  }

  /** Calls any path without a token and checks the reply. Throws RelayError. */
  async open<T>(method: string, path: string, schema: z.ZodType<T>, call: Call = {}): Promise<T> {
    return await this.#send(method, path, schema, undefined, call)
  }

  async #send<T>(
    method: string,
    path: string,
    schema: z.ZodType<T>,
    authorization: string | undefined,
    call: Call,
  ): Promise<T> {
    try {
      const response = await this.#ky(
        `${this.url}${path}`,
        this.#request(method, authorization, call),
      )
      return parseReply(schema, await response.json())
    } catch (error) {
      throw await toRelayError(error, this.url, call.signal)
    }
  }

  #request(method: string, authorization: string | undefined, call: Call): Options {
    const repeatable = call.repeatable ?? !['POST', 'PATCH', 'DELETE'].includes(method)
    const limit = repeatable ? (this.#options.retries ?? 2) : 0
    return {
      method,
      headers: { ...call.headers, ...(authorization === undefined ? {} : { authorization }) },
      retry: { limit, methods: [method.toLowerCase() as 'get'], statusCodes: [502, 503, 504] },
      ...(call.json === undefined ? {} : { json: call.json }),
      ...(call.query === undefined ? {} : { searchParams: call.query }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      ...(call.timeout === undefined ? {} : { timeout: call.timeout }),
    }
  }
}

function bearer(token: string): string {
  return `Bearer ${token}`
}

async function toRelayError(error: unknown, url: string, signal?: AbortSignal): Promise<unknown> {
  if (error instanceof RelayError || signal?.aborted === true) return error
  if (error instanceof HTTPError) return await refused(error.response)
  if (error instanceof TimeoutError) {
    return new RelayError('timed_out', `The relay at ${url} did not answer in time.`)
  }
  if (error instanceof SyntaxError) {
    return new RelayError('invalid_reply', `The answer of ${url} is not JSON.`, {
      hint: 'Check that the address is that of a relay.',
    })
  }
  return new RelayError(
    'unreachable',
    `The relay at ${url} could not be reached (${reason(error)}).`,
    {
      hint: 'Check the address, and that the service is running (smsrelay serve).',
      cause: error,
    },
  )
}

async function refused(response: Response): Promise<RelayError> {
  const body = errorReply.safeParse(await response.json().catch(() => undefined))
  if (!body.success) {
    return new RelayError(
      'invalid_reply',
      `The relay answered with HTTP status ${response.status}.`,
    )
  }
  const code = body.data.error
  const known: ErrorCode = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'invalid_reply'
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const options = Number.isFinite(retryAfter) ? { retryAfter } : {}
  return new RelayError(known, body.data.error_description, options)
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
