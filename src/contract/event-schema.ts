import { z } from 'zod'
import { limits } from '../domain/limits.js'
import { eventNames } from '../domain/webhook/event.js'
import { integerField } from './schema/schema-fields.js'

const afterError = `must be an event's number, or -1 to -${limits.latestEvents} for the last ones`
const namesError = `must be events with commas between them, of ${eventNames.join(', ')}`

/** A place among the events: the number of one, or -N for the last N. */
const after = z
  .string({ error: afterError })
  .regex(/^(?:\d{1,15}|-\d{1,4})$/, { error: afterError })
  .transform(Number)
  .refine(value => value >= -limits.latestEvents, { error: afterError })

const names = z
  .string({ error: namesError })
  .transform(text => [...new Set(text.split(','))])
  .pipe(z.array(z.enum(eventNames, { error: namesError })))

/** What the query of GET /event may hold. */
export const eventQuery = z.object({
  after: after.default(0),
  count: integerField(1, limits.listMost).default(limits.listDefault),
  events: names.optional(),
})

/** The header field Last-Event-ID (HTML standard, section 9.2.3). */
export const lastEventId = z.object({
  'Last-Event-ID': z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be the number of an event' })
    .transform(Number),
})
