import { randomBytes } from 'node:crypto'
import type { SubscriptionClient } from '../../../client/subscription-client.js'
import {
  type EventObjectFields,
  parseObjectId,
  toObjectFields,
} from '../../../contract/event-schema.js'
import { eventObjects } from '../../../domain/webhook/event.js'
import { isRelayError } from '../../../errors.js'
import type { FetchedObject } from '../fetch-object.js'
import { toEventName } from '../hook-flags.js'
import type { IncomingWebhook } from '../webhook-receiver.js'

/** A webhook of `hook listen` with its event; with --fetch also its object, or null if deleted. */
export interface EventWebhook extends IncomingWebhook, EventObjectFields<string | null> {
  readonly event: string
  readonly fetched?: FetchedObject | null
}

/**
 * Events to subscribe to for `hook listen`; `url` is where the relay reaches the local receiver.
 */
export interface TemporarySubscriptionsOptions {
  readonly client: { readonly subscriptions: Pick<SubscriptionClient, 'create' | 'delete'> }
  readonly events: readonly string[]
  readonly url: string
  readonly method?: string
  readonly post?: boolean
}

/**
 * One temporary subscription of `hook listen` for each event. Each has its own path, because a
 * webhook names no event.
 */
export class TemporarySubscriptions {
  readonly #options: TemporarySubscriptionsOptions
  readonly #key = randomBytes(9).toString('base64url')
  readonly #ids: string[] = []

  constructor(options: TemporarySubscriptionsOptions) {
    this.#options = options
  }

  /** Creates the temporary subscriptions. After an error, call {@link remove} as well. */
  async create(signal: AbortSignal): Promise<void> {
    const { client, events, url, method, post } = this.#options
    const base = url.replace(/\/+$/, '')
    const common = {
      // If `hook listen` is killed, its subscription does not store its events forever.
      on_exhausted: 'skip' as const,
      ...(method === undefined ? {} : { method }),
      ...(post === undefined ? {} : { post }),
    }
    for (const event of events) {
      const draft = { event: toEventName(event), url: `${base}/${this.#key}/${event}`, ...common }
      this.#ids.push((await client.subscriptions.create(draft, { signal })).id)
    }
  }

  /** Parses a webhook that `hook listen` received; undefined if it is for another subscription. */
  parseWebhook(webhook: IncomingWebhook): EventWebhook | undefined {
    const { method, url, headers, body } = webhook
    const { pathname } = new URL(url, 'http://receiver')
    const event = this.#options.events.find(name => pathname.endsWith(`/${this.#key}/${name}`))
    if (event === undefined) return undefined
    return { event, ...toObjectFields(event, findObjectId(webhook)), method, url, headers, body }
  }

  /** Removes the temporary subscriptions; returns the ids of those that could not be removed. */
  async remove(): Promise<readonly string[]> {
    const signal = AbortSignal.timeout(5000)
    const remaining: string[] = []
    for (const id of this.#ids.splice(0)) {
      try {
        await this.#options.client.subscriptions.delete(id, { signal })
      } catch (error) {
        if (!isRelayError(error, 'not_a_subscription')) remaining.push(id)
      }
    }
    return remaining
  }
}

/**
 * A webhook's object id is in the query, or with `post` in the body (docs/reference/interface.md
 * 6).
 */
function findObjectId({ url, body }: IncomingWebhook): string | null {
  const query = new URL(url, 'http://receiver').searchParams
  const inQuery = eventObjects.map(object => query.get(`${object}[id]`)).find(id => id !== null)
  return inQuery ?? parseObjectId(body)
}
