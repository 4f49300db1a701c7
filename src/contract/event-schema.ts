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
import { describe, utcTime, whole } from './schema/describe.js'
import { integerField, queryObject } from './schema/schema-fields.js'

const afterError = `must be an event's number, or -1 to -${limits.latestEvents} for the last ones`
const namesError = `must be names of events separated by commas: ${eventNames.join(', ')}`

export const eventFields = z.lazy(() =>
  describe(
    z.object({
      sequence: describe(z.number(), 'The position in the order of all events; only grows.', whole),
      event: describe(z.string(), 'The name of the event.'),
      message: createObjectField('The message that the event is about.'),
      received: createObjectField('The received text that the event is about.'),
      number: createObjectField('The canonical number that the event is about, as its id.'),
      subscription: createObjectField('The subscription that the event is about.'),
      audit: createObjectField('The entry of the audit log that the event is about.'),
      at: describe(z.string(), 'When it happened.', utcTime),
    }),
    'An event, with the object that it is about: one of the five.',
    { id: 'Event' },
  ),
)

/** Schema of the object of an event or webhook: its id, under the name of its kind. */
export function createObjectField(description: string) {
  return describe(z.optional(z.object({ id: describe(z.string(), 'The id.') })), description)
}

export const eventPageReply = z.lazy(() =>
  z.object({
    events: describe(z.array(z.object({ event: eventFields })), 'The events, in order.'),
    last: describe(
      z.number(),
      "The sequence of the account's newest event; 0 without events.",
      whole,
    ),
    missing: describe(
      z.optional(z.boolean()),
      'True if events after the requested sequence are no longer retained.',
    ),
  }),
)

export const missingFields = z.lazy(() => z.object({ after: z.number() }))

/** Query parameter `after` of GET /event: a sequence, or -N for the last N events. */
const afterField = z.lazy(() => {
  const schema = z
    .pipe(
      z
        .string({ error: afterError })
        .check(z.regex(/^(?:\d{1,15}|-\d{1,4})$/, { error: afterError })),
      z.transform(Number),
    )
    .check(z.refine(value => value >= -limits.latestEvents, { error: afterError }))
  const description =
    'Only events after this sequence. -N: the last N events. In a stream `Last-Event-ID` wins.'
  return describe(schema, description, {
    replace: { type: 'integer', minimum: -limits.latestEvents },
  })
})

const namesField = z.lazy(() => {
  const schema = z.pipe(
    z.pipe(
      z.string({ error: namesError }),
      z.transform(text => [...new Set(text.split(','))]),
    ),
    z.array(z.enum(eventNames, { error: namesError })),
  )
  const description =
    'Only events of these names, separated by commas. Default: all but `message.delivered`, ' +
    '`message.undelivered`, `person.signed_in` and `person.sign_in_refused`.'
  return describe(schema, description, {
    replace: { type: 'array', items: { type: 'string', enum: [...eventNames] } },
  })
})

export const eventQuery = z.lazy(() =>
  queryObject({
    after: z._default(afterField, 0),
    count: describe(
      z._default(integerField(1, limits.listMax), limits.listDefault),
      'The most events of the reply.',
    ),
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
    fields.audit?.id ??
    null
  )
}

export function parseObjectId(body: string): string | null {
  const id: unknown = getObjectId((parseJson(body) ?? {}) as EventObjectFields)
  return typeof id === 'string' ? id : null
}
