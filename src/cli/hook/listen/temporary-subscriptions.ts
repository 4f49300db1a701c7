import { randomBytes } from 'node:crypto'
import type { RelayClient } from '../../../client/relay-client.js'
import {
  type EventObjectFields,
  parseObjectId,
  toObjectFields,
} from '../../../contract/event-schema.js'
import { type EventName, eventObjects } from '../../../domain/webhook/event.js'
import { isRelayError } from '../../../errors.js'
import type { FetchedObject } from '../fetch-object.js'
import type { IncomingWebhook } from '../webhook-receiver.js'

/** The part of a client that a session needs. */
type SubscriptionClient = Pick<RelayClient, 'createSubscription' | 'deleteSubscription'>

/** A hit of a session's subscription. */
export interface EventWebhook extends IncomingWebhook, EventObjectFields<string | null> {
  readonly event: string
  /** What was fetched of its object; null when it is no longer there. */
  readonly fetched?: FetchedObject | null
}

/** How to subscribe. */
export interface TemporarySubscriptionsOptions {
  readonly client: SubscriptionClient
  readonly events: readonly string[]
  /** Address at which the relay reaches the receiver. */
  readonly url: string
  readonly method?: string
  readonly post?: boolean
}

/** The relay says which events there are; the list can grow, so any name goes to it (SPEC.md section 9). */
export function toEventName(name: string): EventName {
  return name as EventName
}

/** Temporary subscriptions, each with a path of its own: a hit does not name its event. */
export class TemporarySubscriptions {
  readonly #options: TemporarySubscriptionsOptions
  readonly #key = randomBytes(9).toString('base64url')
  readonly #ids: string[] = []

  constructor(options: TemporarySubscriptionsOptions) {
    this.#options = options
  }

  /** Makes the subscriptions; after an error, {@link end} removes those that were made. */
  async create(signal: AbortSignal): Promise<void> {
    const { client, events, url, method, post } = this.#options
    const base = url.replace(/\/+$/, '')
    const how = {
      // Left behind by a listener that was killed, they must not keep their events for ever.
      on_exhausted: 'skip' as const,
      ...(method === undefined ? {} : { method }),
      ...(post === undefined ? {} : { post }),
    }
    for (const event of events) {
      const draft = { event: toEventName(event), url: `${base}/${this.#key}/${event}`, ...how }
      this.#ids.push((await client.createSubscription(draft, { signal })).id)
    }
  }

  /** The event and object of a hit; undefined when it is not of this session. */
  parseWebhook(hit: IncomingWebhook): EventWebhook | undefined {
    const { pathname } = new URL(hit.url, 'http://receiver')
    const event = this.#options.events.find(name => pathname.endsWith(`/${this.#key}/${name}`))
    if (event === undefined) return undefined
    const { method, url, headers, body } = hit
    return { event, ...toObjectFields(event, readObjectId(hit)), method, url, headers, body }
  }

  /** Removes the subscriptions; returns the identifiers of those that could not be removed. */
  async remove(): Promise<readonly string[]> {
    const signal = AbortSignal.timeout(5000)
    const left: string[] = []
    for (const id of this.#ids.splice(0)) {
      try {
        await this.#options.client.deleteSubscription(id, { signal })
      } catch (error) {
        if (!isRelayError(error, 'not_a_subscription')) left.push(id)
      }
    }
    return left
  }
}

/** The object's id, from the body of a posted hit or the query of another (SPEC.md section 6). */
function readObjectId({ url, body }: IncomingWebhook): string | null {
  const query = new URL(url, 'http://receiver').searchParams
  const inQuery = eventObjects.map(object => query.get(`${object}[id]`)).find(id => id !== null)
  return inQuery ?? parseObjectId(body)
}
