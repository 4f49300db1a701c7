import type {
  CreatedMailboxFields,
  MailboxCreateInput,
  MailboxFields,
} from '../../contract/mailbox-schema.js'
import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import { integer } from '../terminal/parse-values.js'
import { fields, table } from '../terminal/terminal-text.js'

/** The flags of `mailbox create`. */
export interface MailboxFlags {
  readonly name?: string | undefined
  readonly alias?: string | undefined
  readonly to?: readonly string[] | undefined
  readonly from?: readonly string[] | undefined
  readonly subject?: string | undefined
  readonly limit?: string | undefined
  readonly 'max-length'?: string | undefined
}

/** The address that flags describe. Throws `usage`. */
export function draftOf(flags: MailboxFlags): MailboxCreateInput {
  const { name, alias, to = [], from = [], subject, limit, 'max-length': most } = flags
  const hourly = limit && integer('--limit', limit, 1, limits.mailboxHourly)
  if (typeof hourly === 'number' && hourly < to.length) throw tooFew(to.length)
  const length = most && integer('--max-length', most, 1, limits.text)
  return {
    ...(name === undefined ? {} : { name }),
    ...(alias === undefined ? {} : { alias }),
    ...{ destinations: [...to], senders: [...from] },
    ...(subject === undefined ? {} : { subject: subject === 'first' ? 'first' : 'never' }),
    ...(typeof hourly === 'number' ? { hourly_limit: hourly } : {}),
    ...(typeof length === 'number' ? { max_length: length } : {}),
  }
}

function tooFew(numbers: number): RelayError {
  return new RelayError('usage', `--limit must be ${numbers} or more, the number of --to.`, {
    hint: 'Each mail makes a text for each of them.',
  })
}

/** A new e-mail address, for people. */
export function createdMailboxView(mailbox: CreatedMailboxFields): string {
  const shown = { id: mailbox.id, ...(mailbox.name === '' ? {} : { name: mailbox.name }) }
  const text = fields({
    ...shown,
    address: mailbox.address,
    to: placesOf(mailbox),
    from: sendersOf(mailbox),
    subject: mailbox.subject,
    texts: `${mailbox.hourly_limit ?? 'any number'} an hour, ${mailbox.max_length} characters`,
  })
  return mailbox.key === undefined ? text : `${text}\n\nThe address is secret, and shown this once.`
}

/** E-mail addresses one a line, for people. */
export function mailboxTable(mailboxes: readonly MailboxFields[]): string {
  const rows = mailboxes.map(each => [
    each.id,
    each.address,
    placesOf(each),
    sendersOf(each),
    each.name,
  ])
  return table(['ID', 'ADDRESS', 'TO', 'FROM', 'NAME'], rows)
}

function placesOf({ destinations }: MailboxFields): string {
  return destinations.length === 0 ? 'the number in the address' : destinations.join(', ')
}

function sendersOf({ senders }: MailboxFields): string {
  return senders.length === 0 || senders.includes('*') ? 'everyone' : senders.join(', ')
}
