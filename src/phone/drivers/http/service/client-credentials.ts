import { parseJson } from '../../../../util/text/parse-json.js'
import { DriverError } from '../../../driver-port/driver.js'
import type { ServiceReply, ServiceRequest } from './service-request.js'

export interface ClientCredentials {
  readonly url: string
  readonly id: string
  readonly secret: string
  readonly scope: string | undefined
}

interface Token {
  readonly value: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Milliseconds. */
const timeout = 15_000
/** Milliseconds before its end at which a token is not used any more. */
const margin = 30_000

type SendRequest = (request: ServiceRequest, signal: AbortSignal) => Promise<ServiceReply>

/**
 * Gets access tokens with OAuth 2.0 client credentials (RFC 6749 section 4.4). A token is used
 * until it ends or is refused; texts that need one at the same time wait for one request.
 */
export class TokenSource {
  readonly #credentials: ClientCredentials
  readonly #send: SendRequest
  readonly #now: () => number
  #token: Promise<Token> | undefined

  constructor(credentials: ClientCredentials, send: SendRequest, now: () => number) {
    this.#credentials = credentials
    this.#send = send
    this.#now = now
  }

  async getToken(signal: AbortSignal, refused?: string): Promise<string> {
    const current = this.#token
    const token = await current?.catch(() => undefined)
    const isValid = token !== undefined && this.#now() < token.expiresAt
    if (isValid && token.value !== refused) return token.value
    // Another text may have begun to get a token meanwhile.
    if (this.#token === current) this.#token = this.#fetchToken(signal)
    return (await this.#token)?.value ?? ''
  }

  async #fetchToken(signal: AbortSignal): Promise<Token> {
    const { url, id, secret, scope } = this.#credentials
    const login = [id, secret].map(encodeURIComponent).join(':')
    const address = new URL(url)
    const request = {
      url: address,
      method: 'POST',
      headers: {
        Host: address.host,
        Accept: 'application/json',
        Authorization: `Basic ${Buffer.from(login).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scope === undefined ? {} : { scope }),
      }).toString(),
      timeout,
    }
    const reply = await this.#send(request, signal)
    return this.#readToken(address.host, reply)
  }

  #readToken(host: string, { status, body = '' }: ServiceReply): Token {
    const { access_token: value, expires_in: seconds = 3600 } = toObject(parseJson(body))
    if (status !== 200 || typeof value !== 'string' || value === '') {
      const advice = 'Check oauth-id and SMSRELAY_OAUTH_SECRET.'
      throw new DriverError('trouble', `${host} answered ${status} without a token. ${advice}`)
    }
    const lifetime = Math.max(Number(seconds) * 1000 - margin, 1000)
    return { value, expiresAt: this.#now() + lifetime }
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
