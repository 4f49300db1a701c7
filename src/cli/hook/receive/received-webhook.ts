import { parseObjectId } from '../../../contract/event-schema.js'
import type { EventObject } from '../../../domain/webhook/event.js'
import type { IncomingWebhook } from '../webhook-receiver.js'
import type { ProcessedWebhook } from './order-checker.js'

/** What a hit says of itself. */
export interface ReceivedWebhook extends ProcessedWebhook {
  /** Method and address without the relay's own part: what tells subscriptions apart. */
  readonly lane: string
  /** Identifier of the message or received text; null where there is none. */
  readonly message: string | null
  /** What is signed: the body, or the relay's part of the query (SPEC.md section 6). */
  readonly data: string
}

const relayQueryPart = /[?&]?((?:message|received)%5Bid%5D=([^&]*))$/

/** Reads a hit; undefined when it names neither an event nor its object. */
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
    lane: `${method} ${address}`,
    ...{ id, message, data: query?.[1] ?? body },
    sequence: toInteger(headers['webhook-sequence']),
    previous: toInteger(headers['webhook-previous']),
  }
}

/** What a hit is about, by its data; messages where that says nothing. */
export function getEventObject({ data }: Pick<ReceivedWebhook, 'data'>): EventObject {
  return /^(?:\{\s*"received"|received%5B)/.test(data) ? 'received' : 'message'
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
