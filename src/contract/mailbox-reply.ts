import * as z from 'zod/mini'
import { links } from './schema/link-schema.js'

/** An e-mail address of the service that turns mail into messages (extension). */
export const mailboxFields = z.object({
  id: z.string(),
  name: z.string(),
  /** Where to send mail to; `<number>` stands for the number of the phone, `…` for the rest of a key. */
  address: z.string(),
  alias: z.nullable(z.string()),
  destinations: z.array(z.string()),
  senders: z.array(z.string()),
  /** `never` or `first`. */
  subject: z.string(),
  /** Texts an hour; null: any number. */
  hourly_limit: z.nullable(z.number()),
  max_length: z.number(),
  created_on: z.string(),
  /** Whether the service takes mail now. */
  receiving: z.boolean(),
})

/** The reply to making an address: its key is told this once. */
export const mailboxReply = z.object({
  mailbox: z.extend(mailboxFields, { key: z.optional(z.string()) }),
  links: z.optional(links),
})

/** The reply to a DELETE of an address. */
export const mailboxIdReply = z.object({ mailbox: z.object({ id: z.string() }) })

/** The reply of GET /mailbox. */
export const mailboxListReply = z.object({
  mailboxes: z.array(z.object({ mailbox: mailboxFields, links: z.optional(links) })),
})

export type MailboxFields = z.infer<typeof mailboxFields>
export type MailboxReply = z.infer<typeof mailboxReply>
export type CreatedMailboxFields = MailboxReply['mailbox']
