import { type EventObject, objectOf } from '../domain/webhook/event.js'

/** The object of an event, as replies, streams and hits name it: under the name of its kind. */
export type ObjectFields<Id extends string | null = string> = {
  readonly [K in EventObject]?: { readonly id: Id } | undefined
}

/** The identifier of what an event is about; null where it is not said. */
export function objectId(fields: ObjectFields<string | null>): string | null {
  return fields.message?.id ?? fields.received?.id ?? null
}

/** The object of an event of that name. */
export function objectFields<Id extends string | null>(event: string, id: Id): ObjectFields<Id> {
  return objectOf(event) === 'received' ? { received: { id } } : { message: { id } }
}

/** The identifier in the JSON of a hit's body; null where there is none (SPEC.md section 6). */
export function objectIdIn(body: string): string | null {
  try {
    const data: unknown = JSON.parse(body)
    const id: unknown = objectId((data ?? {}) as ObjectFields)
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
