import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { MailboxFields, MailboxInput, mailbox } from '../../resources/mailbox.js'
import type { Column } from '../output/column.js'
import type { CommandSlots } from '../resource/resource-commands.js'
import { parseInteger } from '../terminal/parse-values.js'
import { formatFields } from '../terminal/terminal-text.js'

export function parseMaxLength(text: string): number {
  return parseInteger('--max-length', text, 1, limits.text)
}

function assertLimit({ destinations = [], hourly_limit: limit }: MailboxInput): void {
  const { length } = destinations
  if (limit === undefined || limit >= length) return
  throw new RelayError('usage', `--limit is less than ${length}, the number of recipients.`, {
    hint: 'Each mail becomes a message to each --to: use a higher limit.',
  })
}

function formatCreatedMailbox(mailbox: MailboxFields): string {
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

export const createSlots: CommandSlots<typeof mailbox> = {
  check: assertLimit,
  show: formatCreatedMailbox,
  note: ({ receiving }) =>
    receiving ? undefined : 'The relay does not receive mail: start it with --smtp-port.',
}
