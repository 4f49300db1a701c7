import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { links } from './schema/link-schema.js'
import { pageLinks } from './schema/list-page-schema.js'
import { dateTimeField, idField, integerField, textField } from './schema/schema-fields.js'

const receivedTextFields = z.lazy(() =>
  z.object({
    id: z.string(),
    /** Reply field: sender of a received text, as the phone reported it. */
    from: z.string(),
    /** Reply field: sender's canonical number; null if the sender is not a number. */
    number: z.nullable(z.string()),
    message: z.string(),
    /** When the phone received the text, UTC `YYYY-MM-DD HH:MM:SS`. */
    received_on: z.string(),
    phone: z.nullable(z.string()),
    /** The number that the text was sent to, as the phone reported it; absent if unknown. */
    to: z.optional(z.string()),
    /** The phone's driver that received the text; absent if unknown. */
    driver: z.optional(z.string()),
    /** Opt-out keyword: `stop`, `start` or `help` if the received text is only a keyword. */
    word: z.nullable(z.string()),
    /** Message that answered the text automatically; absent if none did. */
    reply: z.optional(z.object({ id: z.string() })),
  }),
)

export const receivedTextReply = z.lazy(() =>
  z.object({
    received: receivedTextFields,
    links: z.optional(links),
  }),
)

export const receivedTextListReply = z.lazy(() =>
  z.object({ received: z.array(receivedTextReply), links: pageLinks }),
)

export const receivedTextReport = z.lazy(() =>
  z.object({
    from: replaceUnreadable(textField(1, limits.sender)),
    message: replaceUnreadable(textField(0, limits.receivedText)),
    received_on: z.optional(dateTimeField()),
    phone: z.optional(replaceUnreadable(textField(1, limits.phoneName))),
    to: z.optional(replaceUnreadable(textField(1, limits.sender))),
    driver: z.optional(replaceUnreadable(textField(1, limits.phoneName))),
  }),
)

export const receivedTextQuery = z.lazy(() =>
  z.object({
    count: z._default(integerField(1, limits.listMax), limits.listDefault),
    before: z.optional(idField('a received text')),
  }),
)

export type ReceivedTextFields = z.infer<typeof receivedTextFields>
export type ReceivedTextReply = z.infer<typeof receivedTextReply>
export type ReceivedTextReport = z.infer<typeof receivedTextReport>

/** Schema that replaces NUL and lone surrogates in a received text by U+FFFD. */
function replaceUnreadable(schema: z.ZodMiniType<string>): z.ZodMiniType<string> {
  const replace = (value: unknown): unknown =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value
  return z.pipe(z.transform(replace), schema as z.ZodMiniType<string, unknown>)
}
