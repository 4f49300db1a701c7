import type { SubscriptionCreateInput, SubscriptionEdit } from '../contract/subscription.js'
import {
  eventsReply,
  hookSecretReply,
  type SubscriptionFields,
  subscriptionIdReply,
  subscriptionListReply,
  subscriptionReply,
} from '../contract/subscription-reply.js'
import { type CallOptions, EventClient } from './event-client.js'
import type { Transport } from './transport.js'

export type { CallOptions } from './event-client.js'

/** The part of the interface that is about subscriptions and their hits, one method a route (SPEC.md section 4.3). */
export class SubscriptionClient extends EventClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** GET /subscription/events: the events one can subscribe to. */
  async listEvents(options: CallOptions = {}): Promise<string[]> {
    return (await this.#transport.call('GET', '/subscription/events', eventsReply, options)).events
  }

  /** GET /subscription. */
  async listSubscriptions(options: CallOptions = {}): Promise<SubscriptionFields[]> {
    const reply = await this.#transport.call('GET', '/subscription', subscriptionListReply, options)
    return reply.subscriptions.map(each => each.subscription)
  }

  /** POST /subscription. */
  async createSubscription(
    draft: SubscriptionCreateInput,
    options: CallOptions = {},
  ): Promise<SubscriptionFields> {
    const call = { json: draft, ...options }
    return (await this.#transport.call('POST', '/subscription', subscriptionReply, call))
      .subscription
  }

  /** GET /subscription/<id>. */
  async getSubscription(id: string, options: CallOptions = {}): Promise<SubscriptionFields> {
    const path = subscriptionPath(id)
    return (await this.#transport.call('GET', path, subscriptionReply, options)).subscription
  }

  /** PATCH /subscription/<id>: `event` must be that of the subscription. */
  async editSubscription(
    id: string,
    edit: SubscriptionEdit,
    options: CallOptions = {},
  ): Promise<SubscriptionFields> {
    const call = { json: edit, ...options }
    return (await this.#transport.call('PATCH', subscriptionPath(id), subscriptionReply, call))
      .subscription
  }

  /** DELETE /subscription/<id>. */
  async deleteSubscription(id: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.call('DELETE', subscriptionPath(id), subscriptionIdReply, options)
  }

  /** GET /subscription/secret: what signs the account's hits, `whsec_` and base64 (extension). */
  async getHookSecret(options: CallOptions = {}): Promise<string> {
    return (await this.#transport.call('GET', secretPath, hookSecretReply, options)).secret
  }

  /** POST /subscription/secret: replaces it; the old secret signs beside the new one for 24 hours (extension). */
  async rotateHookSecret(options: CallOptions = {}): Promise<string> {
    return (await this.#transport.call('POST', secretPath, hookSecretReply, options)).secret
  }
}

const secretPath = '/subscription/secret'

function subscriptionPath(id: string): string {
  return `/subscription/${encodeURIComponent(id)}`
}
