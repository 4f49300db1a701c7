import { objectIdIn } from '../../../contract/event-object.js'
import type { EventObject } from '../../../domain/webhook/event.js'
import type { Hit } from '../webhook-receiver.js'
import type { WorkedHit } from './order-checker.js'

/** What a hit says of itself. */
export interface LaneHit extends WorkedHit {
  /** Method and address without the relay's own part: what tells subscriptions apart. */
  readonly lane: string
  /** Identifier of the message or received text; null where there is none. */
  readonly message: string | null
  /** What is signed: the body, or the relay's part of the query (SPEC.md section 6). */
  readonly data: string
}

const ownPart = /[?&]?((?:message|received)%5Bid%5D=([^&]*))$/

/** Reads a hit; undefined when it names neither an event nor its object. */
export function readLaneHit({ method, url, headers, body }: Hit): LaneHit | undefined {
  const query = body === '' ? ownPart.exec(url) : null
  const message = query === null ? objectIdIn(body) : decoded(query[2] ?? '')
  const id = text(headers['webhook-id']) ?? message
  if (id === null) return undefined
  const address = query === null ? url : url.slice(0, query.index).replace(/[?&]$/, '')
  return {
    lane: `${method} ${address}`,
    ...{ id, message, data: query?.[1] ?? body },
    sequence: whole(headers['webhook-sequence']),
    previous: whole(headers['webhook-previous']),
  }
}

/** What a hit is about, by its data; messages where that says nothing. */
export function objectOfHit({ data }: Pick<LaneHit, 'data'>): EventObject {
  return /^(?:\{\s*"received"|received%5B)/.test(data) ? 'received' : 'message'
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function text(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function whole(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
