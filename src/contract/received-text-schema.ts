import { z } from 'zod'
import { limits } from '../domain/limits.js'
import { dateTimeField, integerField, textField } from './schema/schema-fields.js'

/** What POST /message/received takes (README: received texts). Nothing a modem reads is refused for its characters. */
export const receivedTextReport = z.object({
  from: replaceUnreadable(textField(1, limits.sender)),
  message: replaceUnreadable(textField(0, limits.receivedText)),
  received_on: dateTimeField.optional(),
  phone: replaceUnreadable(textField(1, limits.phoneName)).optional(),
})

/** What the query of GET /message/received may hold: a page of the newest, or of those before one. */
export const receivedTextQuery = z.object({
  count: integerField(1, limits.listMost).default(limits.listDefault),
  before: z
    .string({ error: 'must be the id of a received text' })
    .regex(/^[\w-]{1,64}$/, { error: 'must be the id of a received text' })
    .optional(),
})

export type {
  ReceivedTextFields,
  ReceivedTextListReply,
  ReceivedTextReply,
} from './received-reply.js'
export type ReceivedTextReport = z.infer<typeof receivedTextReport>

/** A NUL or half of a pair becomes U+FFFD, so that the text is kept all the same. */
function replaceUnreadable(schema: z.ZodType<string>): z.ZodType<string> {
  return z.preprocess(
    value => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value),
    schema,
  )
}
