import { type EventObject, getEventObject } from '../domain/webhook/event.js'

/** The object of an event, as replies, streams and hits name it: under the name of its kind. */
export type EventObjectFields<Id extends string | null = string> = {
  readonly [K in EventObject]?: { readonly id: Id } | undefined
}

/** The identifier of what an event is about; null where it is not said. */
export function getObjectId(fields: EventObjectFields<string | null>): string | null {
  return fields.message?.id ?? fields.received?.id ?? null
}

/** The object of an event of that name. */
export function toObjectFields<Id extends string | null>(
  event: string,
  id: Id,
): EventObjectFields<Id> {
  return getEventObject(event) === 'received' ? { received: { id } } : { message: { id } }
}

/** The identifier in the JSON of a hit's body; null where there is none (SPEC.md section 6). */
export function parseObjectId(body: string): string | null {
  try {
    const data: unknown = JSON.parse(body)
    const id: unknown = getObjectId((data ?? {}) as EventObjectFields)
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
