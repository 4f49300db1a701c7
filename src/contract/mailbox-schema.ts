import * as z from 'zod/mini'
import { subjectChoices } from '../domain/account/mailbox.js'
import { limits } from '../domain/limits.js'
import { annotate, describe, utcTime, whole } from './schema/describe.js'
import { links } from './schema/link-schema.js'
import { pageLinks } from './schema/list-page-schema.js'
import { integerField, maxLengthField, textField } from './schema/schema-fields.js'

const mailboxFields = z.lazy(() => describe(createMailboxFields(), 'A mailbox.'))

/** A reply with one mailbox; only the reply of POST /mailbox has the key. */
export const mailboxReply = z.lazy(() =>
  z.object({
    mailbox: describe(
      z.extend(createMailboxFields(), {
        key: describe(
          z.optional(z.string()),
          'The key in the address; only in the reply of POST, this once.',
        ),
      }),
      'The mailbox.',
    ),
    links: z.optional(links),
  }),
)

export const mailboxIdReply = z.lazy(() =>
  z.object({
    mailbox: describe(
      z.object({ id: describe(z.string(), 'The id of the mailbox.') }),
      'The mailbox.',
    ),
  }),
)

export const mailboxListReply = z.lazy(() =>
  z.object({
    mailboxes: describe(
      z.array(z.object({ mailbox: mailboxFields, links: z.optional(links) })),
      'The mailboxes.',
    ),
    links: pageLinks,
  }),
)

export const mailboxCreate = z.lazy(() =>
  z.object({
    name: describe(z._default(textField(0, limits.mailboxName), ''), 'A name for people.'),
    alias: describe(
      z.optional(textField(1, 64)),
      'The first part of the address, 1 to 24 letters, digits and hyphens.',
    ),
    destinations: describe(
      textListField(limits.destination),
      'The recipients of every mail. Empty: the address of a mail names the recipient.',
    ),
    senders: describe(
      textListField(254),
      'Who may send to it: addresses, or domains such as `@example.com`. Empty: everybody.',
    ),
    subject: describe(
      z._default(
        z.enum(subjectChoices, { error: `must be one of ${subjectChoices.join(', ')}` }),
        'never',
      ),
      'Whether the subject of a mail is the `first` line of the text, or `never`.',
    ),
    hourly_limit: describe(
      z.optional(integerField(1, limits.mailboxHourly)),
      'The most texts in an hour. Default: unlimited.',
    ),
    max_length: maxLengthField('the rest of a mail is cut off.'),
  }),
)

export type MailboxFields = z.infer<typeof mailboxFields>
export type MailboxReply = z.infer<typeof mailboxReply>
export type CreatedMailboxFields = MailboxReply['mailbox']
export type MailboxCreate = z.infer<typeof mailboxCreate>
export type MailboxCreateInput = Partial<MailboxCreate>

function createMailboxFields() {
  return z.object({
    id: describe(z.string(), 'Identifies the mailbox in `/api/1/mailbox/<id>`.'),
    name: describe(z.string(), 'A name for people.'),
    address: describe(
      z.string(),
      "The address, with `<number>` for the recipient's number, and `…` for the rest of the key.",
    ),
    alias: describe(z.nullable(z.string()), 'The first part of the address.'),
    destinations: describe(z.array(z.string()), 'The recipients of every mail.'),
    senders: describe(z.array(z.string()), 'Who may send to it; empty: everybody.'),
    subject: describe(z.string(), 'Whether the subject is part of the text: `never` or `first`.'),
    hourly_limit: describe(z.nullable(z.number()), 'The most texts in an hour; null: unlimited.', {
      type: ['integer', 'null'],
      minimum: 1,
    }),
    max_length: describe(z.number(), 'The most characters of a text.', {
      ...whole,
      'x-unit': 'characters',
    }),
    created_on: describe(z.string(), 'When it was created.', utcTime),
    receiving: describe(z.boolean(), 'Whether the relay takes mail.'),
  })
}

function textListField(max: number): z.ZodMiniType<string[]> {
  const error = `must be a list of at most ${limits.mailboxList} texts of at most ${max} characters`
  const fromForm = z.pipe(
    z.string(),
    z.transform(text => text.split(',')),
  )
  const schema = z
    .pipe(
      z._default(z.union([z.array(z.string()), fromForm], { error }), []),
      z.transform(all => all.map(each => each.trim()).filter(each => each !== '')),
    )
    .check(
      z.refine(
        all => all.length <= limits.mailboxList && all.every(each => isShortText(each, max)),
        { error },
      ),
    )
  const items = { type: 'string', maxLength: max }
  return annotate(schema, {
    replace: { type: 'array', maxItems: limits.mailboxList, items, default: [] },
  })
}

function isShortText(value: string, max: number): boolean {
  return value.length <= max && value.isWellFormed() && !value.includes('\0')
}
