import * as z from 'zod/mini'
import { limits } from '../../domain/limits.js'
import { createObjectField } from '../event-schema.js'
import { describe, utcTime, whole } from '../schema/describe.js'
import { links } from '../schema/link-schema.js'
import { pageLinks } from '../schema/list-page-schema.js'
import { booleanField, idField, queryObject } from '../schema/schema-fields.js'

const countError = `must be a number, 1 to ${limits.listMax}`

function createResultFields() {
  return {
    at: describe(z.string(), 'When the webhook began.', utcTime),
    ms: describe(z.number(), 'How long it took.', { minimum: 0, 'x-unit': 'milliseconds' }),
    status: describe(
      z.nullable(z.number()),
      'The HTTP status of the receiver; null without a reply.',
      { type: 'integer' },
    ),
    error: describe(z.nullable(z.string()), 'Why the webhook failed; null after a success.'),
    ok: describe(z.boolean(), 'Whether the receiver answered with a 2xx status in time.'),
    request: describe(
      z.optional(z.string()),
      'The first 2 KB of the request as it was sent: method and URL, header fields, body. The ' +
        'login and the values in the query of the URL are masked.',
    ),
    reply: describe(z.string(), "The first 2 KB of the receiver's reply."),
  }
}

const deliveryFields = z.lazy(() =>
  describe(
    z.object({
      id: describe(z.string(), 'The id of the attempt, for `before`.'),
      sequence: describe(z.number(), 'The sequence of the event.', whole),
      event: describe(z.string(), 'The name of the event.'),
      message: createObjectField('The message that the event is about.'),
      received: createObjectField('The received text that the event is about.'),
      attempt: describe(z.number(), 'The number of the attempt, from 1.', whole),
      ...createResultFields(),
      dead: describe(z.boolean(), 'Whether the event was skipped after this attempt.'),
      resend: describe(z.boolean(), 'Whether somebody asked for it, outside the order.'),
    }),
    'One attempt to deliver an event.',
    { id: 'Delivery' },
  ),
)

export const testReply = z.lazy(() =>
  z.object({
    test: describe(z.object(createResultFields()), 'The result of the webhook.'),
  }),
)

export const deliveryReply = z.lazy(() =>
  z.object({ delivery: deliveryFields, links: z.optional(links) }),
)

export const deliveryListReply = z.lazy(() =>
  z.object({
    deliveries: describe(z.array(deliveryReply), 'The attempts, newest first.'),
    links: pageLinks,
  }),
)

export const deliveryFilter = z.lazy(() =>
  queryObject({
    failed: describe(z._default(booleanField(), false), 'Only attempts that failed.'),
    count: describe(
      z._default(
        z
          .number({ error: countError })
          .check(
            z.int({ error: countError }),
            z.minimum(1, { error: countError }),
            z.maximum(limits.listMax, { error: countError }),
          ),
        limits.listDefault,
      ),
      'The most attempts of the reply.',
    ),
    before: describe(z.optional(idField('a delivery')), 'Only attempts older than this one.'),
  }),
)

export type DeliveryFields = z.infer<typeof deliveryFields>
export type TestReply = z.infer<typeof testReply>
export type TestFields = TestReply['test']
export type DeliveryReply = z.infer<typeof deliveryReply>
export type DeliveryFilterInput = z.input<typeof deliveryFilter>
