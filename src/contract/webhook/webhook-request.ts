import { type EventObject, getEventObject, type RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import type { OutgoingRequest } from '../../net/client/send-request.js'
import { signWebhook } from './webhook-signature.js'

/** The event a hit tells of. */
export type WebhookEvent = Pick<RelayEvent, 'seq' | 'event' | 'message'>

/** How a hit is made. */
export type WebhookTarget = Pick<Subscription, 'url' | 'method' | 'post'>

/** What a hit says of itself in its headers. */
export interface WebhookDetails {
  /** Sequence of the event that came before on this subscription: its cursor. */
  readonly previous: number
  /** Name of the service. */
  readonly from: string
  /** Secrets to sign with (`whsec_` and base64), the newest first; without one the hit is not signed. */
  readonly secrets: readonly string[]
  /** When this attempt is made, in seconds since the epoch. */
  readonly timestamp: number
}

/**
 * The request that tells a subscription of an event (SPEC.md section 6), signed as Standard Webhooks asks.
 */
export function createWebhookRequest(
  event: WebhookEvent,
  how: WebhookTarget,
  stamp: WebhookDetails,
): OutgoingRequest {
  const { method, post } = how
  const url = new URL(how.url)
  const query = getRawQuery(how.url)
  const data = formatWebhookData(getEventObject(event.event), event.message, post)
  const target = url.pathname + (post ? query : appendToQuery(query, data))
  const body = post ? data : ''
  const headers = {
    Host: url.host,
    'User-Agent': stamp.from,
    'X-Hook-From': stamp.from,
    ...createAuthorization(url),
    'Content-Type': post ? 'application/json' : 'text/plain',
    'Content-Length': String(Buffer.byteLength(body)),
    ...createWebhookHeaders(event, data, stamp),
  }
  return { method, url: url.origin + target, target, headers, body }
}

/** The identifier of an event in `webhook-id`: the same over retries, replays and subscriptions. */
export function formatWebhookId({ seq, message }: Pick<WebhookEvent, 'seq' | 'message'>): string {
  return `evt_${seq}_${message}`
}

/** What a hit says of its object, as it stands in the body or in the query: what is signed. */
export function formatWebhookData(object: EventObject, id: string, post: boolean): string {
  if (post) return JSON.stringify({ [object]: { id } })
  return `${object}%5Bid%5D=${encodeURIComponent(id)}`
}

function createWebhookHeaders(
  event: WebhookEvent,
  body: string,
  stamp: WebhookDetails,
): Record<string, string> {
  const { previous, secrets, timestamp } = stamp
  const id = formatWebhookId(event)
  const signature = signWebhook({ id, timestamp, body }, secrets)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(signature === undefined ? {} : { 'webhook-signature': signature }),
    'webhook-sequence': String(event.seq),
    'webhook-previous': String(previous),
  }
}

/** The query with its question mark as the customer wrote it; the URL parser would rewrite some of it. */
function getRawQuery(url: string): string {
  const address = url.replace(/#.*$/su, '')
  const start = address.indexOf('?')
  return start === -1 ? '' : encodeQuery(address.slice(start))
}

/** Percent-encodes what cannot stand in a request line. */
function encodeQuery(query: string): string {
  return query.replace(/[^\x21-\x7e]+/gu, part => encodeURIComponent(part.toWellFormed()))
}

function appendToQuery(query: string, data: string): string {
  const joint = query === '' ? '?' : query === '?' || query.endsWith('&') ? '' : '&'
  return query + joint + data
}

function createAuthorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const login = Buffer.from(
    `${decodePercent(url.username)}:${decodePercent(url.password)}`,
    'latin1',
  )
  return { Authorization: `Basic ${login.toString('base64')}` }
}

/** The bytes, as latin1, of percent-encoded text; a stray percent sign stands for itself. */
function decodePercent(part: string): string {
  return part.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
