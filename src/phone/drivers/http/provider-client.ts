import { DriverError } from '../../driver-port/driver.js'
import { signAwsRequest } from './service/aws-signature.js'
import { TokenSource } from './service/client-credentials.js'
import {
  ServiceConnections,
  type ServiceReply,
  type ServiceRequest,
} from './service/service-request.js'
import type { HttpSettings } from './settings/http-driver-settings.js'

type Authorization = Pick<HttpSettings, 'aws' | 'oauth' | 'unsure'>

/** Sends requests to one provider, with its access token or signature if it needs one. */
export class ProviderClient {
  readonly #connections = new ServiceConnections()
  readonly #settings: Authorization
  readonly #tokens: TokenSource | undefined
  readonly #now: () => number

  constructor(settings: Authorization, now: () => number) {
    const { oauth } = settings
    this.#settings = settings
    this.#now = now
    this.#tokens =
      oauth === undefined
        ? undefined
        : new TokenSource(oauth, (request, signal) => this.#send(request, signal, 'trouble'), now)
  }

  /**
   * Sends a request; after a 401, once more with another access token. Throws `trouble` if the
   * provider has not got it, and otherwise as the option `unsure` says.
   */
  async send(request: ServiceRequest, signal: AbortSignal): Promise<ServiceReply> {
    if (this.#tokens === undefined) return await this.#send(this.#sign(request), signal)
    const token = await this.#tokens.getToken(signal)
    const reply = await this.#send(addToken(request, token), signal)
    if (reply.status !== 401) return reply
    const renewed = await this.#tokens.getToken(signal, token)
    return await this.#send(addToken(request, renewed), signal)
  }

  close(): void {
    this.#connections.close()
  }

  #sign(request: ServiceRequest): ServiceRequest {
    const { aws } = this.#settings
    if (aws === undefined) return request
    return {
      ...request,
      headers: { ...request.headers, ...signAwsRequest(request, aws, this.#now()) },
    }
  }

  async #send(
    request: ServiceRequest,
    signal: AbortSignal,
    unsure: 'unknown' | 'retry' | 'trouble' = this.#settings.unsure,
  ): Promise<ServiceReply> {
    if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
    return await this.#connections.send(request, unsure, signal)
  }
}

function addToken(request: ServiceRequest, token: string): ServiceRequest {
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } }
}
