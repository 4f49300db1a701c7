// Extensions of messages that message-schema.ts uses.
//
// - attempt-schema.ts (this file): each try of a phone to send a message, the phone that has it
//   now, and the query of GET of one message, which asks for both
// - message-criteria-schema.ts: what a list of messages can be filtered by, besides the filter of
//   the interface
import * as z from 'zod/mini'
import { limits } from '../../domain/limits.js'
import { attemptOutcomes } from '../../domain/message/attempts.js'
import { describe, extension, utcTime } from '../schema/describe.js'
import { booleanField } from '../schema/schema-fields.js'

const attemptFields = describe(
  z.object({
    at: describe(z.string(), 'When its outcome was known.', utcTime),
    began_on: describe(
      z.optional(z.string()),
      'When the phone claimed the message, if the relay knows it.',
      utcTime,
    ),
    outcome: describe(
      z.enum(attemptOutcomes),
      '`unknown`: nobody knows whether the text was sent.',
    ),
    phone: describe(z.optional(z.string()), 'The name of the phone, if the relay knows it.'),
    error: describe(
      z.optional(z.string()),
      `Why it failed: the first ${limits.attemptError} characters of the phone's own words.`,
    ),
  }),
  'One try of a phone to send a message.',
  { id: 'Attempt' },
)

export const attemptsField = describe(
  z.optional(z.array(attemptFields)),
  'Only in extended replies: the last ten attempts that did not send it, and the one that sent ' +
    'it; the oldest first. A lease that ended without a report is one of them.',
  extension,
)

const leaseFields = describe(
  z.object({
    phone: describe(z.optional(z.string()), 'The name of the phone, if the relay knows it.'),
    began_on: describe(z.string(), 'When the phone claimed the message.', utcTime),
    ends_on: describe(z.string(), 'When the lease ends without a report of the phone.', utcTime),
  }),
  'A phone that has a message now.',
  { id: 'Lease' },
)

export const leaseField = describe(
  z.optional(leaseFields),
  'Only in extended replies, while a phone has the message.',
  extension,
)

/** The query of GET /message/<id> (extension). */
export const messageView = z.lazy(() =>
  z.object({
    extended: describe(
      z._default(booleanField(), false),
      "Whether the reply has the message's attempts and its lease.",
      extension,
    ),
  }),
)

export type AttemptFields = z.infer<typeof attemptFields>
