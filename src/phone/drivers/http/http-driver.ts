// The driver `http`: sends a text with one request to the HTTP interface of a provider.
//
// 1. settings/ parses the options over those of a preset (presets/).
// 2. For each text, build-request.ts fills its values into URL, headers and body.
// 3. provider-client.ts sends the request, signed or with an access token (service/).
// 4. rules/ turns the reply into a receipt or an error.
// 5. Later the delivery status follows: status/ asks for it, or the provider calls webhooks/,
//    whose signatures signatures/ checks. Received texts come by webhook, too.

import type { Clock } from '../../../util/async/clock.js'
import {
  type Driver,
  DriverError,
  type DriverListener,
  type DriverMessage,
  type DriverReceipt,
} from '../../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../../driver-port/driver-options.js'
import { buildSendRequest, buildStatusRequest } from './build-request.js'
import type { ProviderClient } from './provider-client.js'
import { fillRequestTemplate, messageNames } from './rules/request-template.js'
import { type HttpSettings, parseHttpSettings } from './settings/http-driver-settings.js'
import { StatusPolling } from './status/status-polling.js'
import { createProviderWebhook } from './webhooks/provider-webhook.js'

/** Texts in flight with a provider by default. */
const defaultConcurrency = 32

export function createHttpDriver(
  options: DriverOptions,
  context: Pick<DriverContext, 'env' | 'clock' | 'download'>,
): Driver {
  const settings = parseHttpSettings(options, context.env)
  const { delivery } = settings
  const provider = new Provider(settings, context.clock.now)
  let listener: DriverListener | undefined
  let hasWebhooks = false
  const getListener = () => listener
  const polling = createPolling(settings, provider, context.clock, getListener)
  const { webhook } = delivery
  return {
    name: 'http',
    concurrency: defaultConcurrency,
    watches: polling === undefined ? [] : [polling],
    async send(message, signal) {
      const receipt = await provider.sendText(message, signal)
      const { networkIds = [], ...withoutIds } = receipt
      polling?.add(networkIds, message.destination)
      return delivery.hasReports || hasWebhooks ? receipt : withoutIds
    },
    health: async () => await provider.checkHealth(),
    listen: given => {
      listener = given
    },
    ...(webhook !== undefined && {
      openWebhooks: () => {
        const opened = createProviderWebhook(webhook, delivery, { ...context, getListener })
        hasWebhooks = true
        return [opened]
      },
    }),
    async [Symbol.asyncDispose]() {
      await provider.close()
    },
  }
}

function createPolling(
  { delivery }: HttpSettings,
  provider: Provider,
  clock: Clock,
  getListener: () => DriverListener | undefined,
): StatusPolling | undefined {
  if (delivery.status === undefined) return undefined
  return new StatusPolling(delivery.status, delivery, {
    clock,
    getListener,
    request: async (url, text, signal) => await provider.getStatus(url, text, signal),
  })
}

/** The requests of one driver; what they need is loaded with the first one. */
class Provider {
  readonly #settings: HttpSettings
  readonly #now: () => number
  #client: Promise<ProviderClient> | undefined

  constructor(settings: HttpSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
  }

  async sendText(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt> {
    if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
    const { interpretResponse } = await import('./rules/response-rules.js')
    const client = await this.#openClient()
    const { request, values } = buildSendRequest(message, this.#settings)
    const reply = await client.send(request, signal)
    return interpretResponse(request.url.host, reply, this.#settings, values, this.#now())
  }

  async getStatus(
    url: string,
    text: { readonly networkId: string; readonly destination: string },
    signal: AbortSignal,
  ) {
    const client = await this.#openClient()
    return await client.send(buildStatusRequest(url, text, this.#settings), signal)
  }

  async checkHealth() {
    const { checkReachable } = await import('./service/service-request.js')
    const sample = Object.fromEntries(messageNames.map(name => [name, '']))
    const values = { ...sample, ...this.#settings.values }
    return await checkReachable(new URL(fillRequestTemplate(this.#settings.url, 'url', values)))
  }

  async close(): Promise<void> {
    const client = await this.#client
    client?.close()
  }

  async #openClient(): Promise<ProviderClient> {
    this.#client ??= import('./provider-client.js').then(
      ({ ProviderClient }) => new ProviderClient(this.#settings, this.#now),
    )
    return await this.#client
  }
}
