// The interface that client and server share: schemas of requests and replies, by resource.
//
// 1. A file `<resource>-schema.ts` has the schemas of the resource and functions that convert a
//    domain object into reply fields. This one is the main resource.
// 2. schema/ has what they share: kinds of fields, links, and the functions that check a value.
// 3. api/operations.ts is the table of all operations with their schemas.
// 4. webhook/ creates and signs webhooks.
// 5. message/ has the attempts of a message, and what else a list of messages can be filtered by;
//    statistics/ has the counts of messages.
// 6. do-not-text-csv.ts is the file format of a Do Not Text list; secret-url/ has the
//    requests and addresses of secret URLs.
//
// The command line loads this folder at each start. So all schemas are zod/mini, and all are lazy
// but the replies that most commands check: to build them takes 8 ms of processor time.
import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { deliveryStates } from '../domain/message/delivery-status.js'
import { type Status, sources, statusNames } from '../domain/message/message.js'
import { messageFilterNames } from '../domain/message/message-filter.js'
import { parseJson } from '../util/text/parse-json.js'
import { attemptsField, leaseField } from './message/attempt-schema.js'
import { createCriteriaFields } from './message/message-criteria-schema.js'
import { describe, extension, utcTime, whole } from './schema/describe.js'
import { links } from './schema/link-schema.js'
import { pageLinks } from './schema/list-page-schema.js'
import {
  booleanField,
  dateTimeField,
  integerField,
  queryObject,
  textField,
} from './schema/schema-fields.js'

const statuses = Object.keys(statusNames) as [Status, ...Status[]]

const descriptions = {
  destination:
    "The recipient's number. National numbers are read in the account's country; short codes of " +
    '3 to 6 digits and test numbers are valid.',
  message: 'The text, in characters (code points), without NUL and lone surrogates.',
  sendOn: 'The earliest time to send it. A past time means now.',
  flash:
    'Whether the phone of the recipient shows the text at once without storing it (class 0), if ' +
    'the driver can. Default: false.',
}

const deliveryFields = describe(
  z.object({
    state: describe(
      z.enum(deliveryStates),
      '`undelivered` or `expired` if the network says so of any part; `delivered` if all parts ' +
        'are delivered; otherwise `pending`.',
    ),
    at: describe(z.string(), 'The latest time in the receipts.', utcTime),
    reason: describe(z.optional(z.string()), "The network's reason, if it is not delivered."),
    parts: describe(z.number(), 'Parts of the message.', whole),
    delivered: describe(z.number(), 'Parts that are delivered.', whole),
  }),
  'What networks reported about the delivery of a sent message.',
  { id: 'DeliveryStatus' },
)

/** Schema of a message's JSON fields (docs/reference/interface.md 2.2). */
export const messageFields = describe(
  z.object({
    id: describe(z.string(), 'Identifies the message in `/api/1/message/<id>`.'),
    destination: describe(z.string(), "The recipient's number, stored as it was given."),
    number: describe(
      z.optional(z.string()),
      'The number that a phone dials, in E.164 form, if `destination` is written in another way.',
      extension,
    ),
    message: describe(z.string(), 'The text.'),
    created_on: describe(z.string(), 'When it was created.', utcTime),
    send_on: describe(z.string(), 'The earliest time to send it.', utcTime),
    status: describe(
      z.enum(statuses),
      'N new, S sent, E error (the relay tries again), F failed (after five attempts), ' +
        'D deleted, L locked, B blacklisted (on a Do Not Text list).',
    ),
    status_date: describe(z.string(), 'When the status last changed.', utcTime),
    source: describe(
      z.enum(sources),
      'How it was created: `website` (dashboard), `api` (REST), `url` (secret URL) or `email`.',
    ),
    failure_count: describe(
      z.number(),
      'Failed attempts so far. 0 also means sent; 5 means Failed.',
      { ...whole, maximum: 5 },
    ),
    flash: describe(z.optional(z.boolean()), 'True for a flash text.', extension),
    last_error: describe(z.optional(z.string()), 'Why the last attempt failed.', extension),
    retry_on: describe(
      z.optional(z.string()),
      'When a message in N or E is due again, if it was put off.',
      { ...utcTime, ...extension },
    ),
    parts: describe(z.optional(z.number()), 'SMS parts of a sent message.', {
      ...whole,
      ...extension,
    }),
    phone: describe(z.optional(z.string()), 'The name of the phone that reported last.', extension),
    delivery: describe(
      z.optional(deliveryFields),
      'The delivery status of a sent message, if the network reported one.',
      extension,
    ),
    attempts: attemptsField,
    warnings: describe(
      z.optional(z.array(z.string())),
      'Only in extended replies: why texts may not reach the number.',
      extension,
    ),
    lease: leaseField,
  }),
  'A message.',
  { id: 'Message' },
)

export const messageReply = z.object({ message: messageFields, links: z.optional(links) })

export const messageIdReply = z.lazy(() =>
  z.object({
    message: describe(
      z.object({ id: describe(z.string(), 'The id of the message.') }),
      'The message.',
    ),
    links: z.optional(links),
  }),
)

export const messageListReply = z.lazy(() =>
  z.object({ messages: describe(z.array(messageReply), 'The messages.'), links: pageLinks }),
)

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
  queryObject({
    filter: describe(
      z._default(
        z.enum(messageFilterNames, { error: `must be one of ${messageFilterNames.join(', ')}` }),
        'normal',
      ),
      'Which messages; `normal` is New and Error, `blocked` is Blacklisted.',
    ),
    start: describe(
      z._default(numberField(0, Number.MAX_SAFE_INTEGER, 'must be a number, 0 or more'), 0),
      'The offset of the first message. Beyond the end the list is empty.',
      { maximum: undefined },
    ),
    count: describe(
      z._default(
        numberField(1, limits.listMax, `must be a number, 1 to ${limits.listMax}`),
        limits.listDefault,
      ),
      'The most messages of the reply.',
    ),
    order: describe(
      z._default(z.enum(['desc', 'asc'], { error: 'must be desc or asc' }), 'desc'),
      '`desc`: last created first; `asc`: first created first.',
    ),
    ...createCriteriaFields(),
  }),
)

export function findNextStart(url: string | undefined): number | undefined {
  const filter = url === undefined ? null : new URL(url, 'http://relay').searchParams.get('filter')
  return listFilter.safeParse(parseJson(filter ?? '')).data?.start
}

export const successReport = z.lazy(() => z.object({ parts: partsField() }))

/** The body of PUT /message/<id>/failure; `outcome` is an extension. */
export const failureReport = z.lazy(() =>
  z.object({
    error_message: errorTextField(),
    outcome: outcomeField(),
    retry_after: retryAfterField('until the message is retried, if the retry delay is shorter'),
  }),
)

export const releaseReport = z.lazy(() =>
  z.object({
    reason: reasonField(),
    retry_after: retryAfterField('until another phone can claim the message'),
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
    destination: describe(textField(1, limits.destination), descriptions.destination),
    message: describe(textField(1, limits.text), descriptions.message),
    send_on: describe(z.optional(dateTimeField()), descriptions.sendOn),
    flash: describe(z.optional(booleanField()), descriptions.flash, extension),
  })
}

export function partsField() {
  return describe(integerField(1, 255), 'SMS parts that were needed; 1 for a normal text.')
}

export function errorTextField() {
  const description =
    `Why the message could not be sent. The relay stores the first ${limits.errorMessage} ` +
    'characters.'
  return describe(textField(0, 1_000_000), description)
}

export function outcomeField() {
  const error = 'must be failed or unknown'
  return describe(
    z._default(z.enum(['failed', 'unknown'], { error }), 'failed'),
    '`unknown`: the phone does not know whether the text was sent. The delivery mode of the ' +
      'account decides what happens then.',
    extension,
  )
}

export function reasonField() {
  return describe(
    z.optional(textField(0, limits.errorMessage)),
    'Why the phone gives the message back, for people; it is not stored.',
    extension,
  )
}

/** @param what what the seconds of a report are for */
export function retryAfterField(what: string) {
  return describe(z.optional(integerField(0, 86_400)), `Time ${what}.`, {
    ...extension,
    'x-unit': 'seconds',
  })
}

function numberField(min: number, max: number, error: string): z.ZodMiniNumber<number> {
  return z
    .number({ error })
    .check(z.int({ error }), z.minimum(min, { error }), z.maximum(max, { error }))
}
