import {
  eventNamesReply,
  type SubscriptionCreateInput,
  type SubscriptionEdit,
  type SubscriptionFields,
  type SubscriptionSecretReply,
  signingSecretReply,
  subscriptionIdReply,
  subscriptionListReply,
  subscriptionReply,
  subscriptionSecretReply,
} from '../contract/subscription-schema.js'
import {
  type DeliveryFields,
  type DeliveryFilterInput,
  deliveryListReply,
  deliveryReply,
  type TestFields,
  testReply,
} from '../contract/webhook/delivery-schema.js'
import {
  addIfMatch,
  type Call,
  type CallOptions,
  type Tagged,
  type VersionOptions,
} from './call-options.js'
import { firstPage, type Transport } from './transport.js'

/** Asks for the state of a subscription's deliveries too (extension). Other relays ignore it. */
const query = { extended: 'true' }

/**
 * Milliseconds that the client waits for a resend: the webhook in progress comes first, and each
 * takes 15 s.
 */
const resendTimeout = 60_000

const secretPath = '/subscription/secret'

/** Subscriptions and their deliveries, one method a route (docs/reference/interface.md 4.3). */
export class SubscriptionClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** GET /subscription/events: the names of events that a subscription can have. */
  async listEventNames(options: CallOptions = {}): Promise<string[]> {
    const path = '/subscription/events'
    return (await this.#transport.call('GET', path, eventNamesReply, options)).events
  }

  /** GET /subscription: all subscriptions of the account, on all pages. */
  async list(options: CallOptions = {}): Promise<SubscriptionFields[]> {
    const call = { query: { ...query, ...firstPage }, ...options }
    const pages = await this.#transport.readPages('/subscription', subscriptionListReply, call)
    return pages.flatMap(page => page.subscriptions.map(each => each.subscription))
  }

  /** POST /subscription: creates a subscription to one event. */
  async create(
    draft: SubscriptionCreateInput,
    options: CallOptions = {},
  ): Promise<SubscriptionFields> {
    return await this.#call('POST', '/subscription', { json: draft, query, ...options })
  }

  /** GET /subscription/<id>. Throws `not_a_subscription`. */
  async get(id: string, options: CallOptions = {}): Promise<SubscriptionFields> {
    return await this.#call('GET', formatPath(id), { query, ...options })
  }

  /** GET /subscription/<id> with its version, for {@link edit} and {@link delete} (extension). */
  async getTagged(id: string, options: CallOptions = {}): Promise<Tagged<SubscriptionFields>> {
    const call = { query, ...options }
    const { resource, tag } = await this.#transport.get(formatPath(id), subscriptionReply, call)
    return { resource: resource.subscription, tag }
  }

  /** PATCH /subscription/<id>: `event` must be that of the subscription. */
  async edit(
    id: string,
    edit: SubscriptionEdit,
    options: VersionOptions = {},
  ): Promise<SubscriptionFields> {
    return await this.#call('PATCH', formatPath(id), { json: edit, query, ...addIfMatch(options) })
  }

  /** DELETE /subscription/<id>. Throws `not_a_subscription`. */
  async delete(id: string, options: VersionOptions = {}): Promise<void> {
    const call = addIfMatch(options)
    await this.#transport.call('DELETE', formatPath(id), subscriptionIdReply, call)
  }

  /** GET /subscription/secret: the account's signing secret, `whsec_` and base64 (extension). */
  async getSigningSecret(options: CallOptions = {}): Promise<string> {
    return (await this.#transport.call('GET', secretPath, signingSecretReply, options)).secret
  }

  /**
   * POST /subscription/secret: the client has the relay replace the signing secret (extension). The
   * old secret signs too for 24 hours.
   */
  async rotateSigningSecret(options: CallOptions = {}): Promise<string> {
    return (await this.#transport.call('POST', secretPath, signingSecretReply, options)).secret
  }

  /** GET /subscription/<id>/secret: the secret that signs its webhooks (extension). */
  async getSecret(id: string, options: CallOptions = {}): Promise<SubscriptionSecretReply> {
    const path = formatPath(id, '/secret')
    return await this.#transport.call('GET', path, subscriptionSecretReply, options)
  }

  /** POST /subscription/<id>/secret: gives it its own secret, or a new one (extension). */
  async rotateSecret(id: string, options: CallOptions = {}): Promise<SubscriptionSecretReply> {
    const path = formatPath(id, '/secret')
    return await this.#transport.call('POST', path, subscriptionSecretReply, options)
  }

  /** DELETE /subscription/<id>/secret: has the account's secret sign again (extension). */
  async removeSecret(id: string, options: CallOptions = {}): Promise<SubscriptionSecretReply> {
    const path = formatPath(id, '/secret')
    return await this.#transport.call('DELETE', path, subscriptionSecretReply, options)
  }

  /** POST /subscription/<id>/test: sends a test webhook, which is no event (extension). */
  async test(id: string, options: CallOptions = {}): Promise<TestFields> {
    const call = { timeout: resendTimeout, ...options }
    return (await this.#transport.call('POST', formatPath(id, '/test'), testReply, call)).test
  }

  /** PUT /subscription/<id>/pause: stops deliveries until it is resumed (extension). */
  async pause(id: string, options: CallOptions = {}): Promise<SubscriptionFields> {
    return await this.#call('PUT', formatPath(id, '/pause'), options)
  }

  /** PUT /subscription/<id>/resume: delivers again, and retries at once (extension). */
  async resume(id: string, options: CallOptions = {}): Promise<SubscriptionFields> {
    return await this.#call('PUT', formatPath(id, '/resume'), options)
  }

  /** PUT /subscription/<id>/skip: skips the next event, or only the given one (extension). */
  async skip(
    id: string,
    skip: { sequence?: number } = {},
    options: CallOptions = {},
  ): Promise<SubscriptionFields> {
    // A repeated skip request without a sequence could skip two events.
    const repeatable = skip.sequence !== undefined
    const call = { json: skip, repeatable, ...options }
    return await this.#call('PUT', formatPath(id, '/skip'), call)
  }

  /** PUT /subscription/<id>/replay: delivers all events from this sequence on again (extension). */
  async replay(id: string, from: number, options: CallOptions = {}): Promise<SubscriptionFields> {
    const call = { json: { from }, repeatable: false, ...options }
    return await this.#call('PUT', formatPath(id, '/replay'), call)
  }

  /** GET /subscription/<id>/delivery: a page of deliveries, the newest first (extension). */
  async listDeliveries(
    id: string,
    filter: DeliveryFilterInput = {},
    options: CallOptions = {},
  ): Promise<DeliveryFields[]> {
    const call = { query: { filter: JSON.stringify(filter) }, ...options }
    const path = formatPath(id, '/delivery')
    const reply = await this.#transport.call('GET', path, deliveryListReply, call)
    return reply.deliveries.map(each => each.delivery)
  }

  /** POST /subscription/<id>/delivery/<sequence>/resend: delivers one event again (extension). */
  async resend(id: string, sequence: number, options: CallOptions = {}): Promise<DeliveryFields> {
    const path = formatPath(id, `/delivery/${sequence}/resend`)
    const call = { timeout: resendTimeout, ...options }
    return (await this.#transport.call('POST', path, deliveryReply, call)).delivery
  }

  async #call(method: string, path: string, call: Call): Promise<SubscriptionFields> {
    return (await this.#transport.call(method, path, subscriptionReply, call)).subscription
  }
}

function formatPath(id: string, action = ''): string {
  return `/subscription/${encodeURIComponent(id)}${action}`
}
