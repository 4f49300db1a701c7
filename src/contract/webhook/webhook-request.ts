// A webhook, from the event to the bytes that are sent (docs/reference/interface.md 6):
//
// 1. The data has only the id of the object: JSON in the body with `post`, else text in the query.
// 2. The target is the path and query of the subscription's URL, unchanged, plus the data.
// 3. The login in the URL becomes Basic authorization.
// 4. webhook-signature.ts signs the id, the time and the data (Standard Webhooks).
//
// server/webhooks sends webhooks of subscriptions, `hook listen` those to a local program.
import { type EventObject, getEventObject, type RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import { signWebhook } from './webhook-signature.js'

export type WebhookEvent = Pick<RelayEvent, 'seq' | 'event' | 'message'>

export type WebhookTarget = Pick<Subscription, 'url' | 'method' | 'post' | 'headers'>

export interface WebhookDetails {
  /** Header of the webhook request: sequence of the subscription's previous event, its cursor. */
  readonly previous: number
  readonly from: string
  /**
   * Secrets that sign the webhook request (`whsec_` and base64), the newest first; without one
   * there is no signature.
   */
  readonly secrets: readonly string[]
  /** Header of the webhook request: its start, in seconds since the epoch. */
  readonly timestamp: number
}

export interface WebhookRequest {
  readonly method: string
  /** Address of the webhook request without login and fragment. */
  readonly url: string
  readonly target: string
  /** Header fields of the webhook request, sent in this order. */
  readonly headers: Readonly<Record<string, string>>
  /** Names of header fields whose values are secrets: those of the subscription. */
  readonly secretNames: readonly string[]
  readonly body: string
}

/**
 * Creates the webhook of an event (docs/reference/interface.md 6), signed by the rules of Standard
 * Webhooks.
 */
export function createWebhookRequest(
  event: WebhookEvent,
  { url: address, method, post, headers: own = {} }: WebhookTarget,
  details: WebhookDetails,
): WebhookRequest {
  const url = new URL(address)
  const query = getRawQuery(address)
  const data = formatWebhookData(getEventObject(event.event), event.message, post)
  const target = url.pathname + (post ? query : appendToQuery(query, data))
  const body = post ? data : ''
  const headers = {
    Host: url.host,
    'User-Agent': details.from,
    'X-Hook-From': details.from,
    ...createAuthorization(url),
    'Content-Type': post ? 'application/json' : 'text/plain',
    'Content-Length': String(Buffer.byteLength(body)),
    ...createWebhookHeaders(event, data, details),
    ...own,
  }
  const secretNames = Object.keys(own)
  return { method, url: url.origin + target, target, headers, secretNames, body }
}

const mask = '•••'
const queryValue = /([?&])(?!\w+%5Bid%5D=)([^=&]*=)?[^&]+/g

/**
 * Formats a webhook request as text for the log of deliveries, at most so many characters. The
 * authorization and the values in the URL's query are masked: they can be secrets.
 */
export function formatWebhookRequest(
  { method, url, headers, secretNames, body }: WebhookRequest,
  maxLength: number,
): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    const isSecret = name === 'Authorization' || secretNames.includes(name)
    return `${name}: ${isSecret ? mask : value}`
  })
  const first = `${method} ${url.replace(queryValue, `$1$2${mask}`)}`
  return [first, ...lines, '', body].join('\n').trim().slice(0, maxLength).toWellFormed()
}

const schemes = /^(?:basic|bearer|digest|token)$/i

/** Removes secret values of header fields from a reply: some receivers repeat what they get. */
export function maskReply(reply: string, { headers, secretNames }: WebhookRequest): string {
  const parts = secretNames.flatMap(name => (headers[name] ?? '').split(' '))
  const values = parts.filter(part => part.length > 3 && !schemes.test(part))
  return values.reduce((text, value) => text.replaceAll(value, mask), reply)
}

const sampleObjectId = '00000000-0000-0000-0000-000000000000'

/**
 * Creates a test webhook: signed as those of events, with `webhook-test` in place of a sequence,
 * and the id of no message.
 */
export function createTestRequest(
  { event, ...target }: WebhookTarget & Pick<RelayEvent, 'event'>,
  { id, ...details }: Omit<WebhookDetails, 'previous'> & { readonly id: string },
): WebhookRequest {
  const sample = { seq: 0, event, message: sampleObjectId }
  const data = formatWebhookData(getEventObject(event), sampleObjectId, target.post)
  const request = createWebhookRequest(sample, target, { ...details, previous: 0 })
  const { 'webhook-sequence': _, 'webhook-previous': __, ...headers } = request.headers
  const { secrets, timestamp } = details
  const signature = signWebhook({ id, timestamp, body: data }, secrets)
  return {
    ...request,
    headers: {
      ...headers,
      'webhook-id': id,
      ...(signature === undefined ? {} : { 'webhook-signature': signature }),
      'webhook-test': 'true',
    },
  }
}

/**
 * Returns the webhook request's header `webhook-id`: the same in retries, replays and all
 * subscriptions.
 */
function formatWebhookId({ seq, message }: Pick<WebhookEvent, 'seq' | 'message'>): string {
  return `evt_${seq}_${message}`
}

/** Returns the signed data of a webhook for the body or, without `post`, the query. */
export function formatWebhookData(object: EventObject, id: string, post: boolean): string {
  if (post) return JSON.stringify({ [object]: { id } })
  return `${object}%5Bid%5D=${encodeURIComponent(id)}`
}

function createWebhookHeaders(
  event: WebhookEvent,
  body: string,
  details: WebhookDetails,
): Record<string, string> {
  const { previous, secrets, timestamp } = details
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

function getRawQuery(url: string): string {
  const address = url.replace(/#.*$/su, '')
  const start = address.indexOf('?')
  return start === -1 ? '' : encodeQuery(address.slice(start))
}

function encodeQuery(query: string): string {
  return query.replace(/[^\x21-\x7e]+/gu, part => encodeURIComponent(part.toWellFormed()))
}

function appendToQuery(query: string, data: string): string {
  const separator = query === '' ? '?' : query === '?' || query.endsWith('&') ? '' : '&'
  return query + separator + data
}

/**
 * Returns the webhook request's Basic authorization (RFC 7617) from the login in the URL, if it has
 * one.
 */
export function createAuthorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const login = Buffer.from(
    `${decodePercent(url.username)}:${decodePercent(url.password)}`,
    'latin1',
  )
  return { Authorization: `Basic ${login.toString('base64')}` }
}

/**
 * Decodes the login of a webhook request's URL to latin1. An invalid percent sign stays as it is.
 */
function decodePercent(part: string): string {
  return part.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
