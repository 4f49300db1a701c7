import { parseObjectId } from '../../../contract/event-schema.js'
import { isSignedBy } from '../../../contract/webhook/webhook-signature.js'
import { type EventObject, eventObjects } from '../../../domain/webhook/event.js'
import { assertSigningSecret } from '../verify-webhook.js'
import type { IncomingWebhook } from '../webhook-receiver.js'
import type { ProcessedWebhook } from './order-checker.js'

export interface ReceivedWebhook extends ProcessedWebhook {
  /**
   * Method and address of a webhook without the part that the relay appends: it identifies the
   * subscription.
   */
  readonly address: string
  /** Id of the webhook's message or received text; null if it has no such id. */
  readonly message: string | null
  /**
   * Data that the signature of a received webhook covers: the body, or the relay's part of the
   * query (docs/reference/interface.md 6).
   */
  readonly data: string
}

/**
 * Checks for `hook receive` that a webhook is signed with a secret, at most 300 s before or after
 * `now`.
 */
export type SignatureCheck = (
  webhook: ReceivedWebhook,
  headers: IncomingWebhook['headers'],
  now: number,
) => boolean

const relayQueryPart = /[?&]?((?:message|received|number|subscription)%5Bid%5D=([^&]*))$/
/**
 * Seconds that clocks may differ for `hook receive` (Standard Webhooks, "Verifying webhook
 * authenticity").
 */
const maxClockDifference = 300

/**
 * Parses a webhook of `hook receive`; undefined if it has the id neither of an event nor of its
 * object.
 */
export function parseReceivedWebhook({
  method,
  url,
  headers,
  body,
}: IncomingWebhook): ReceivedWebhook | undefined {
  const query = body === '' ? relayQueryPart.exec(url) : null
  const message = query === null ? parseObjectId(body) : decodeComponent(query[2] ?? '')
  const id = toText(headers['webhook-id']) ?? message
  if (id === null) return undefined
  const address = query === null ? url : url.slice(0, query.index).replace(/[?&]$/, '')
  return {
    address: `${method} ${address}`,
    id,
    message,
    data: query?.[1] ?? body,
    sequence: toInteger(headers['webhook-sequence']),
    previous: toInteger(headers['webhook-previous']),
  }
}

export function getObjectType({ data }: Pick<ReceivedWebhook, 'data'>): EventObject {
  const name = /^(?:\{\s*"(\w+)"|(\w+)%5B)/.exec(data)
  return eventObjects.find(object => object === (name?.[1] ?? name?.[2])) ?? 'message'
}

/** Creates the signature check of `hook receive --secret`: `whsec_` and base64. Throws `usage`. */
export function createSignatureCheck(secret: string): SignatureCheck {
  assertSigningSecret(secret)
  return ({ id, data }, headers, now) => {
    const timestamp = Number(headers['webhook-timestamp'])
    const difference = Math.abs(now / 1000 - timestamp)
    if (!Number.isInteger(timestamp) || difference > maxClockDifference) return false
    const signature = String(headers['webhook-signature'] ?? '')
    return isSignedBy({ id, timestamp, body: data }, signature, secret)
  }
}

function decodeComponent(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function toText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function toInteger(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
