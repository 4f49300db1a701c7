import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { MailboxFields, MailboxInput } from '../../resources/mailbox.js'
import type { Column } from '../output/column.js'
import { parseInteger } from '../terminal/parse-values.js'
import { formatFields } from '../terminal/terminal-text.js'

export interface MailboxFlags {
  readonly name?: string | undefined
  readonly alias?: string | undefined
  readonly to?: readonly string[] | undefined
  readonly from?: readonly string[] | undefined
  readonly subject?: string | undefined
  readonly limit?: string | undefined
  readonly 'max-length'?: string | undefined
}

export function toMailboxDraft(flags: MailboxFlags): MailboxInput {
  const { name, alias, to = [], from = [], subject, limit, 'max-length': maxLength } = flags
  const hourlyLimit = limit && parseInteger('--limit', limit, 1, limits.mailboxHourly)
  if (typeof hourlyLimit === 'number' && hourlyLimit < to.length) throw limitTooLowError(to.length)
  return {
    ...(name === undefined ? {} : { name }),
    ...(alias === undefined ? {} : { alias }),
    destinations: [...to],
    senders: [...from],
    ...(subject === undefined ? {} : { subject: subject === 'first' ? 'first' : 'never' }),
    ...(typeof hourlyLimit === 'number' ? { hourly_limit: hourlyLimit } : {}),
    ...(maxLength ? { max_length: parseMaxLength(maxLength) } : {}),
  }
}

export function parseMaxLength(text: string): number {
  return parseInteger('--max-length', text, 1, limits.text)
}

function limitTooLowError(numbers: number): RelayError {
  return new RelayError('usage', `--limit is less than ${numbers}, the number of recipients.`, {
    hint: 'Each mail becomes a message to each --to: use a higher limit.',
  })
}

export function formatCreatedMailbox(mailbox: MailboxFields): string {
  const shown = { id: mailbox.id, ...(mailbox.name === '' ? {} : { name: mailbox.name }) }
  const text = formatFields({
    ...shown,
    address: mailbox.address,
    to: formatDestinations(mailbox),
    from: formatSenders(mailbox),
    subject: mailbox.subject,
    'messages an hour': mailbox.hourly_limit ?? 'no limit',
    'max. characters': mailbox.max_length,
  })
  return mailbox.key === undefined ? text : `${text}\n\nThe address is secret and shown only once.`
}

export const mailboxColumns: readonly Column<MailboxFields>[] = [
  { name: 'id', isId: true, read: each => each.id },
  { name: 'address', read: each => each.address },
  {
    name: 'destinations',
    title: 'to',
    read: each => each.destinations,
    show: formatDestinations,
  },
  { name: 'senders', title: 'from', read: each => each.senders, show: formatSenders },
  { name: 'subject', isWide: true, read: each => each.subject },
  {
    name: 'hourly_limit',
    title: 'messages an hour',
    isWide: true,
    empty: 'no limit',
    read: each => each.hourly_limit,
  },
  { name: 'max_length', title: 'max. characters', isWide: true, read: each => each.max_length },
  { name: 'name', canTruncate: true, read: each => each.name },
]

function formatDestinations({ destinations }: MailboxFields): string {
  return destinations.length === 0 ? 'number in the address' : destinations.join(', ')
}

function formatSenders({ senders }: MailboxFields): string {
  return senders.length === 0 || senders.includes('*') ? 'everyone' : senders.join(', ')
}
