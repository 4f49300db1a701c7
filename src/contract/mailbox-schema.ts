import * as z from 'zod/mini'
import { subjectChoices } from '../domain/account/mailbox.js'
import { limits } from '../domain/limits.js'
import { links } from './schema/link-schema.js'
import { pageLinks } from './schema/list-page-schema.js'
import { integerField, textField } from './schema/schema-fields.js'

const mailboxFields = z.lazy(createMailboxFields)

/** A reply with one mailbox; only the reply of POST /mailbox has the key. */
export const mailboxReply = z.lazy(() =>
  z.object({
    mailbox: z.extend(createMailboxFields(), { key: z.optional(z.string()) }),
    links: z.optional(links),
  }),
)

export const mailboxIdReply = z.lazy(() => z.object({ mailbox: z.object({ id: z.string() }) }))

export const mailboxListReply = z.lazy(() =>
  z.object({
    mailboxes: z.array(z.object({ mailbox: mailboxFields, links: z.optional(links) })),
    links: pageLinks,
  }),
)

export const mailboxCreate = z.lazy(() =>
  z.object({
    name: z._default(textField(0, limits.mailboxName), ''),
    alias: z.optional(textField(1, 64)),
    destinations: textListField(limits.destination),
    senders: textListField(254),
    subject: z._default(
      z.enum(subjectChoices, { error: `must be one of ${subjectChoices.join(', ')}` }),
      'never',
    ),
    hourly_limit: z.optional(integerField(1, limits.mailboxHourly)),
    max_length: z._default(integerField(1, limits.text), limits.text),
  }),
)

export type MailboxFields = z.infer<typeof mailboxFields>
export type MailboxReply = z.infer<typeof mailboxReply>
export type CreatedMailboxFields = MailboxReply['mailbox']
export type MailboxCreate = z.infer<typeof mailboxCreate>
export type MailboxCreateInput = Partial<MailboxCreate>

function createMailboxFields() {
  return z.object({
    id: z.string(),
    name: z.string(),
    /**
     * Mailbox address; contains `<number>` for the recipient's number, and `…` for the rest of
     * the key.
     */
    address: z.string(),
    alias: z.nullable(z.string()),
    destinations: z.array(z.string()),
    senders: z.array(z.string()),
    /** Whether a mail's subject is part of the text: `never` or `first`. */
    subject: z.string(),
    /** Maximum texts of a mailbox an hour; null: unlimited. */
    hourly_limit: z.nullable(z.number()),
    max_length: z.number(),
    created_on: z.string(),
    /** Whether the relay's mail server receives mail at present. */
    receiving: z.boolean(),
  })
}

function textListField(max: number): z.ZodMiniType<string[]> {
  const error = `must be a list of at most ${limits.mailboxList} texts of at most ${max} characters`
  const fromForm = z.pipe(
    z.string(),
    z.transform(text => text.split(',')),
  )
  return z
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
}

function isShortText(value: string, max: number): boolean {
  return value.length <= max && value.isWellFormed() && !value.includes('\0')
}
