import type { DeliveryFilterInput } from '../contract/delivery-schema.js'
import {
  type DeliveryFields,
  deliveryListReply,
  deliveryReply,
} from '../contract/delivery-schema.js'
import type { SubscriptionCreateInput, SubscriptionEdit } from '../contract/subscription-schema.js'
import {
  eventNamesReply,
  type SubscriptionFields,
  signingSecretReply,
  subscriptionIdReply,
  subscriptionListReply,
  subscriptionReply,
} from '../contract/subscription-schema.js'
import type { CallOptions } from './api-client.js'
import { MailboxClient } from './mailbox-client.js'
import type { Call } from './transport.js'

/** The state of the lane is shown to who asks for it; another service answers without (README: extensions). */
const extendedQuery = { extended: 'true' }

/** A resend waits for the hit in flight before its own, 15 s each. */
const resendTimeout = 60_000

/** The part of the interface that is about subscriptions and their hits, one method a route (SPEC.md section 4.3). */
export class SubscriptionClient extends MailboxClient {
  /** GET /subscription/events: the events one can subscribe to. */
  async listEvents(options: CallOptions = {}): Promise<string[]> {
    return (await this.transport.call('GET', '/subscription/events', eventNamesReply, options))
      .events
  }

  /** GET /subscription. */
  async listSubscriptions(options: CallOptions = {}): Promise<SubscriptionFields[]> {
    const call = { query: extendedQuery, ...options }
    const reply = await this.transport.call('GET', '/subscription', subscriptionListReply, call)
    return reply.subscriptions.map(each => each.subscription)
  }

  /** POST /subscription. */
  async createSubscription(
    draft: SubscriptionCreateInput,
    options: CallOptions = {},
  ): Promise<SubscriptionFields> {
    const call = { json: draft, query: extendedQuery, ...options }
    return (await this.transport.call('POST', '/subscription', subscriptionReply, call))
      .subscription
  }

  /** GET /subscription/<id>. */
  async getSubscription(id: string, options: CallOptions = {}): Promise<SubscriptionFields> {
    const path = formatSubscriptionPath(id)
    const call = { query: extendedQuery, ...options }
    return (await this.transport.call('GET', path, subscriptionReply, call)).subscription
  }

  /** PATCH /subscription/<id>: `event` must be that of the subscription. */
  async editSubscription(
    id: string,
    edit: SubscriptionEdit,
    options: CallOptions = {},
  ): Promise<SubscriptionFields> {
    const call = { json: edit, query: extendedQuery, ...options }
    return (await this.transport.call('PATCH', formatSubscriptionPath(id), subscriptionReply, call))
      .subscription
  }

  /** DELETE /subscription/<id>. */
  async deleteSubscription(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call('DELETE', formatSubscriptionPath(id), subscriptionIdReply, options)
  }

  /** GET /subscription/secret: what signs the account's hits, `whsec_` and base64 (extension). */
  async getHookSecret(options: CallOptions = {}): Promise<string> {
    return (await this.transport.call('GET', secretPath, signingSecretReply, options)).secret
  }

  /** POST /subscription/secret: replaces it; the old secret signs beside the new one for 24 hours (extension). */
  async rotateHookSecret(options: CallOptions = {}): Promise<string> {
    return (await this.transport.call('POST', secretPath, signingSecretReply, options)).secret
  }

  /** PUT /subscription/<id>/pause: nothing is delivered until it is resumed (extension). */
  async pauseSubscription(id: string, options: CallOptions = {}): Promise<SubscriptionFields> {
    return await this.#steer(id, '/pause', options)
  }

  /** PUT /subscription/<id>/resume: delivers again, at once what waits for a retry (extension). */
  async resumeSubscription(id: string, options: CallOptions = {}): Promise<SubscriptionFields> {
    return await this.#steer(id, '/resume', options)
  }

  /** PUT /subscription/<id>/skip: passes the event that waits, or only the one of that number (extension). */
  async skipEvent(
    id: string,
    skip: { sequence?: number } = {},
    options: CallOptions = {},
  ): Promise<SubscriptionFields> {
    // Sent twice, it could pass two events, save where it names one.
    const repeatable = skip.sequence !== undefined
    return await this.#steer(id, '/skip', { json: skip, repeatable, ...options })
  }

  /** PUT /subscription/<id>/replay: delivers everything again from the event of that number on (extension). */
  async replayEvents(
    id: string,
    from: number,
    options: CallOptions = {},
  ): Promise<SubscriptionFields> {
    return await this.#steer(id, '/replay', { json: { from }, repeatable: false, ...options })
  }

  /** GET /subscription/<id>/delivery: a page of the attempts, the newest first (extension). */
  async listDeliveries(
    id: string,
    filter: DeliveryFilterInput = {},
    options: CallOptions = {},
  ): Promise<DeliveryFields[]> {
    const call = { query: { filter: JSON.stringify(filter) }, ...options }
    const path = formatSubscriptionPath(id, '/delivery')
    const reply = await this.transport.call('GET', path, deliveryListReply, call)
    return reply.deliveries.map(each => each.delivery)
  }

  /** POST /subscription/<id>/delivery/<sequence>/resend: one more hit for an event, outside the order (extension). */
  async resendEvent(
    id: string,
    sequence: number,
    options: CallOptions = {},
  ): Promise<DeliveryFields> {
    const path = formatSubscriptionPath(id, `/delivery/${sequence}/resend`)
    const call = { timeout: resendTimeout, ...options }
    return (await this.transport.call('POST', path, deliveryReply, call)).delivery
  }

  async #steer(id: string, action: string, call: Call): Promise<SubscriptionFields> {
    const path = formatSubscriptionPath(id, action)
    return (await this.transport.call('PUT', path, subscriptionReply, call)).subscription
  }
}

const secretPath = '/subscription/secret'

function formatSubscriptionPath(id: string, action = ''): string {
  return `/subscription/${encodeURIComponent(id)}${action}`
}
