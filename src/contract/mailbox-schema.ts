import { z } from 'zod'
import { subjectChoices } from '../domain/account/mailbox.js'
import { limits } from '../domain/limits.js'
import { integerField, textField } from './schema/schema-fields.js'

/** What POST /mailbox takes (extension). */
export const mailboxCreate = z.object({
  name: textField(0, limits.mailboxName).default(''),
  alias: textField(1, 64).optional(),
  destinations: textListField(limits.destination),
  senders: textListField(254),
  subject: z
    .enum(subjectChoices, { error: `must be one of ${subjectChoices.join(', ')}` })
    .default('never'),
  hourly_limit: integerField(1, limits.mailboxHourly).optional(),
  max_length: integerField(1, limits.text).default(limits.text),
})

export type {
  CreatedMailboxFields,
  MailboxFields,
  MailboxReply,
} from './mailbox-reply.js'
export type MailboxCreate = z.infer<typeof mailboxCreate>
export type MailboxCreateInput = Partial<MailboxCreate>

/** A list of texts, from a form with commas between. */
function textListField(most: number): z.ZodType<string[]> {
  const error = `must be a list of at most ${limits.mailboxList} texts of at most ${most} characters`
  return z
    .union([z.array(z.string()), z.string().transform(given => given.split(','))], { error })
    .default([])
    .transform(all => all.map(each => each.trim()).filter(each => each !== ''))
    .refine(all => all.length <= limits.mailboxList && all.every(each => isShortText(each, most)), {
      error,
    })
}

function isShortText(value: string, most: number): boolean {
  return value.length <= most && value.isWellFormed() && !value.includes('\0')
}
