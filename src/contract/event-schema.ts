import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { formatDateTime } from '../domain/time/date-time.js'
import {
  type EventObject,
  eventNames,
  getEventObject,
  type RelayEvent,
} from '../domain/webhook/event.js'
import { parseJson } from '../util/text/parse-json.js'
import { integerField } from './schema/schema-fields.js'

const afterError = `must be an event's number, or -1 to -${limits.latestEvents} for the last ones`
const namesError = `must be names of events separated by commas: ${eventNames.join(', ')}`

export const eventFields = z.lazy(() =>
  z.object({
    /** Position of an event in the order of all events; only grows. */
    sequence: z.number(),
    event: z.string(),
    message: z.optional(z.object({ id: z.string() })),
    received: z.optional(z.object({ id: z.string() })),
    /** Reply field with the canonical number as its id. */
    number: z.optional(z.object({ id: z.string() })),
    subscription: z.optional(z.object({ id: z.string() })),
    /** Reply field: time of the event, UTC `YYYY-MM-DD HH:MM:SS`. */
    at: z.string(),
  }),
)

export const eventPageReply = z.lazy(() =>
  z.object({
    events: z.array(z.object({ event: eventFields })),
    /** Sequence of the account's newest event; 0 without events. */
    last: z.number(),
    /** Whether events after the requested sequence were deleted. */
    missing: z.optional(z.boolean()),
  }),
)

export const missingFields = z.lazy(() => z.object({ after: z.number() }))

/** Query parameter `after` of GET /event: a sequence, or -N for the last N events. */
const afterField = z.lazy(() =>
  z
    .pipe(
      z
        .string({ error: afterError })
        .check(z.regex(/^(?:\d{1,15}|-\d{1,4})$/, { error: afterError })),
      z.transform(Number),
    )
    .check(z.refine(value => value >= -limits.latestEvents, { error: afterError })),
)

const namesField = z.lazy(() =>
  z.pipe(
    z.pipe(
      z.string({ error: namesError }),
      z.transform(text => [...new Set(text.split(','))]),
    ),
    z.array(z.enum(eventNames, { error: namesError })),
  ),
)

export const eventQuery = z.lazy(() =>
  z.object({
    after: z._default(afterField, 0),
    count: z._default(integerField(1, limits.listMax), limits.listDefault),
    events: z.optional(namesField),
  }),
)

/** Request header Last-Event-ID of the event stream (HTML standard, section 9.2.3). */
export const lastEventId = z.lazy(() =>
  z.object({
    'Last-Event-ID': z.pipe(
      z.string().check(z.regex(/^\d{1,15}$/, { error: 'must be the number of an event' })),
      z.transform(Number),
    ),
  }),
)

export type EventFields = z.infer<typeof eventFields>
export type EventPageReply = z.infer<typeof eventPageReply>

/** JSON of an event's object in replies, streams and webhooks, under the name of its kind. */
export type EventObjectFields<Id extends string | null = string> = {
  readonly [K in EventObject]?: { readonly id: Id } | undefined
}

export function toEventFields({ seq, event, message, at }: RelayEvent): EventFields {
  return { sequence: seq, event, ...toObjectFields(event, message), at: formatDateTime(at) }
}

export function toObjectFields<Id extends string | null>(
  event: string,
  id: Id,
): EventObjectFields<Id> {
  return { [getEventObject(event)]: { id } }
}

export function getObjectId(fields: EventObjectFields<string | null>): string | null {
  return (
    fields.message?.id ??
    fields.received?.id ??
    fields.number?.id ??
    fields.subscription?.id ??
    null
  )
}

export function parseObjectId(body: string): string | null {
  const id: unknown = getObjectId((parseJson(body) ?? {}) as EventObjectFields)
  return typeof id === 'string' ? id : null
}
