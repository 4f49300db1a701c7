import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { receivedKinds, receivedSelections } from '../domain/phone/received-mms.js'
import { describe, utcTime, whole } from './schema/describe.js'
import { links } from './schema/link-schema.js'
import { pageLinks } from './schema/list-page-schema.js'
import {
  dateTimeField,
  idField,
  integerField,
  queryObject,
  textField,
} from './schema/schema-fields.js'

const receivedTextFields = z.lazy(() =>
  describe(
    z.object({
      id: describe(z.string(), 'Identifies the text in `/api/1/message/received/<id>`.'),
      from: describe(z.string(), 'The sender, as the phone reported it.'),
      number: describe(
        z.nullable(z.string()),
        "The sender's canonical number; null if the sender is not a number.",
      ),
      message: describe(z.string(), 'The text.'),
      received_on: describe(z.string(), 'When the phone received it.', utcTime),
      phone: describe(z.nullable(z.string()), 'The name of the phone; null if unknown.'),
      to: describe(
        z.optional(z.string()),
        'The number that the text was sent to; absent if unknown.',
      ),
      driver: describe(z.optional(z.string()), "The phone's driver; absent if unknown."),
      line: describe(
        z.optional(z.string()),
        'The SIM or named driver that received it; absent if the phone has only one.',
      ),
      kind: describe(z.optional(z.enum(receivedKinds)), '`mms` if it came as an MMS.'),
      subject: describe(z.optional(z.string()), 'The subject of an MMS.'),
      size: describe(z.optional(z.number()), 'Octets of an MMS.', whole),
      media: describe(
        z.optional(z.array(z.string())),
        'Addresses of the pictures of an MMS at the provider. If they and the text are missing, ' +
          'the MMS waits at the operator.',
      ),
      word: describe(
        z.nullable(z.string()),
        '`stop`, `start` or `help` if the text is a keyword; otherwise null.',
      ),
      reply: describe(
        z.optional(z.object({ id: describe(z.string(), 'The id of the message.') })),
        'The message that answered it automatically; absent if none did.',
      ),
    }),
    'A text that reached a phone.',
    { id: 'ReceivedText' },
  ),
)

export const receivedTextReply = z.lazy(() =>
  z.object({
    received: receivedTextFields,
    links: z.optional(links),
  }),
)

export const receivedTextListReply = z.lazy(() =>
  z.object({
    received: describe(z.array(receivedTextReply), 'The texts, newest first.'),
    links: pageLinks,
  }),
)

export const receivedTextReport = z.lazy(() =>
  z.object({
    from: readableField(1, limits.sender, 'The sender: a number, a name or an e-mail address.'),
    message: readableField(0, limits.receivedText, 'The text, in characters (code points).'),
    received_on: describe(z.optional(dateTimeField()), 'When the phone received it. Default: now.'),
    phone: z.optional(readableField(1, limits.phoneName, 'The name of the phone, as for NEXT.')),
    to: z.optional(readableField(1, limits.sender, 'The number that the text was sent to.')),
    driver: z.optional(readableField(1, limits.phoneName, "The phone's driver.")),
    line: z.optional(readableField(1, limits.phoneName, 'The SIM or named driver of the phone.')),
    kind: describe(
      z.optional(z.enum(receivedKinds, { error: `must be one of ${receivedKinds.join(', ')}` })),
      '`mms` if it came as an MMS. Default: `text`.',
    ),
    subject: z.optional(readableField(0, limits.mmsSubject, 'The subject of an MMS.')),
    size: describe(z.optional(integerField(0, Number.MAX_SAFE_INTEGER)), 'Octets of an MMS.'),
    media: describe(
      z.optional(
        z
          .array(webAddress(), { error: 'must be an array of addresses' })
          .check(z.maxLength(limits.mmsMedia, `must have at most ${limits.mmsMedia} addresses`)),
      ),
      'Addresses of the pictures of an MMS.',
    ),
  }),
)

export const receivedTextQuery = z.lazy(() =>
  queryObject({
    count: describe(
      z._default(integerField(1, limits.listMax), limits.listDefault),
      'The most texts of the reply.',
    ),
    before: describe(
      z.optional(idField('a received text')),
      'Only texts older than the one with this id.',
    ),
    kind: describe(
      z._default(
        z.enum(receivedSelections, { error: `must be one of ${receivedSelections.join(', ')}` }),
        'text',
      ),
      '`all` also lists each MMS that waits at the operator, of which nothing can be read.',
    ),
  }),
)

export type ReceivedTextFields = z.infer<typeof receivedTextFields>
export type ReceivedTextReply = z.infer<typeof receivedTextReply>
export type ReceivedTextReport = z.infer<typeof receivedTextReport>

function webAddress(): z.ZodMiniType<string> {
  const error = 'must begin with http:// or https://'
  return textField(1, limits.url).check(z.refine(text => /^https?:\/\//i.test(text), { error }))
}

/** Schema of text in which NUL and lone surrogates are replaced by U+FFFD. */
function readableField(min: number, max: number, description: string): z.ZodMiniType<string> {
  const replace = (value: unknown): unknown =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value
  const text = textField(min, max) as z.ZodMiniType<string, unknown>
  const json = { type: 'string', minLength: min, maxLength: max }
  return describe(z.pipe(z.transform(replace), text), description, { replace: json })
}
