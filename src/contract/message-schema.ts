// The interface that client and server share: schemas of requests and replies, by resource.
//
// 1. A file `<resource>-schema.ts` has the schemas of the resource and functions that convert a
//    domain object into reply fields. This one is the main resource.
// 2. schema/ has what they share: kinds of fields, links, and the functions that check a value.
// 3. api/operations.ts is the table of all operations with their schemas.
// 4. webhook/ creates and signs webhooks.
// 5. do-not-text-csv.ts is the file format of a Do Not Text list; secret-url/ has the
//    schemas and addresses of secret URLs.
//
// The command line loads this folder at each start. So all schemas are zod/mini, and all are lazy
// but the replies that most commands check: to build them takes 8 ms of processor time.
import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { deliveryStates } from '../domain/message/delivery-status.js'
import { type Status, sources, statusNames } from '../domain/message/message.js'
import { messageFilterNames } from '../domain/message/message-filter.js'
import { links } from './schema/link-schema.js'
import { dateTimeField, integerField, textField } from './schema/schema-fields.js'

const statuses = Object.keys(statusNames) as [Status, ...Status[]]

/** Schema of a sent message's delivery status, if a network reported one (extension). */
const deliveryFields = z.object({
  state: z.enum(deliveryStates),
  at: z.string(),
  /** Reply field: the network's reason, for people. */
  reason: z.optional(z.string()),
  parts: z.number(),
  /** Reply field: number of delivered parts. */
  delivered: z.number(),
})

/** Schema of a message's JSON fields (docs/reference/interface.md 2.2). */
export const messageFields = z.object({
  id: z.string(),
  destination: z.string(),
  message: z.string(),
  created_on: z.string(),
  send_on: z.string(),
  status: z.enum(statuses),
  status_date: z.string(),
  source: z.enum(sources),
  failure_count: z.number(),
  /** Reply field: why the last attempt failed (extension, as all that follow). */
  last_error: z.optional(z.string()),
  /** When the message is due again after a failure. */
  retry_on: z.optional(z.string()),
  parts: z.optional(z.number()),
  /** Reply field: the phone that reported last. */
  phone: z.optional(z.string()),
  delivery: z.optional(deliveryFields),
})

export const messageReply = z.object({ message: messageFields, links: z.optional(links) })

export const messageIdReply = z.lazy(() =>
  z.object({
    message: z.object({ id: z.string() }),
    links: z.optional(links),
  }),
)

export const messageListReply = z.lazy(() => z.object({ messages: z.array(messageReply) }))

export const messageCreate = z.lazy(createDraftSchema)

/** The `message` of PATCH /message/<id>: at least one of the fields. */
export const messageEdit = z.lazy(() =>
  z.partial(createDraftSchema()).check(
    z.refine(edit => Object.values(edit).some(value => value !== undefined), {
      error: 'At least one of `destination`, `message`, `send_on` is required.',
      params: { missing: true },
    }),
  ),
)

export const listFilter = z.lazy(() =>
  z.object({
    filter: z._default(
      z.enum(messageFilterNames, { error: `must be one of ${messageFilterNames.join(', ')}` }),
      'normal',
    ),
    start: z._default(numberField(0, Number.MAX_SAFE_INTEGER, 'must be a number, 0 or more'), 0),
    count: z._default(
      numberField(1, limits.listMax, `must be a number, 1 to ${limits.listMax}`),
      limits.listDefault,
    ),
    order: z._default(z.enum(['desc', 'asc'], { error: 'must be desc or asc' }), 'desc'),
  }),
)

export const successReport = z.lazy(() => z.object({ parts: partsField() }))

/** The body of PUT /message/<id>/failure; `outcome` is an extension. */
export const failureReport = z.lazy(() =>
  z.object({
    error_message: errorTextField(),
    outcome: outcomeField(),
    retry_after: retryAfterField(),
  }),
)

export const releaseReport = z.lazy(() =>
  z.object({
    /** Reason of a failure report, for people; it is not stored. */
    reason: reasonField(),
    /** Seconds until another phone can claim the message after a failure report. */
    retry_after: retryAfterField(),
  }),
)

export type MessageFields = z.infer<typeof messageFields>
export type MessageReply = z.infer<typeof messageReply>
export type MessageCreate = z.infer<typeof messageCreate>
export type MessageEdit = z.infer<typeof messageEdit>
export type ListFilterInput = z.input<typeof listFilter>
export type SuccessReport = z.infer<typeof successReport>
export type FailureReport = z.input<typeof failureReport>
export type ReleaseReport = z.infer<typeof releaseReport>

export function createDraftSchema() {
  return z.object({
    destination: textField(1, limits.destination),
    message: textField(1, limits.text),
    send_on: z.optional(dateTimeField()),
  })
}

/** Schema of the number of parts in which a message was sent. */
export function partsField() {
  return integerField(1, 255)
}

/** Schema of the error in a failure report; the relay stores its first characters. */
export function errorTextField() {
  return textField(0, 1_000_000)
}

/** Schema of a failure: whether the phone knows that it sent nothing. */
export function outcomeField() {
  const error = 'must be failed or unknown'
  return z._default(z.enum(['failed', 'unknown'], { error }), 'failed')
}

export function reasonField() {
  return z.optional(textField(0, limits.errorMessage))
}

export function retryAfterField() {
  return z.optional(integerField(0, 86_400))
}

function numberField(min: number, max: number, error: string): z.ZodMiniNumber {
  return z
    .number({ error })
    .check(z.int({ error }), z.minimum(min, { error }), z.maximum(max, { error }))
}
