import { string } from '@oclif/core/flags'
import type { ListFilterInput } from '../../contract/message-schema.js'
import { sources } from '../../domain/message/message.js'
import { messageFilterNames } from '../../domain/message/message-filter.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { invalidValueError, parseInteger, parseUtcTime } from '../terminal/parse-values.js'

const orders = ['desc', 'asc'] as const

const timeHint = 'Write 90m, 12h, 1d or 2w, UTC "YYYY-MM-DD HH:MM:SS", or ISO 8601 with its zone.'
const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

export const listFlags = {
  filter: string({
    aliases: ['state'],
    description: 'Messages in this state; normal is new or error.',
    env: 'SMSRELAY_FILTER',
    options: messageFilterNames,
    default: 'normal',
  }),
  since: string({
    description: 'Messages created since then: 1d, 12h, or a UTC time.',
    env: 'SMSRELAY_SINCE',
    helpValue: 'TIME',
  }),
  until: string({
    description: 'Messages created before: 1d, 12h, or a UTC time.',
    env: 'SMSRELAY_UNTIL',
    helpValue: 'TIME',
  }),
  to: string({
    description: 'Messages to this number.',
    env: 'SMSRELAY_MESSAGE_TO',
    helpValue: 'NUMBER',
  }),
  phone: string({
    description: 'Messages that the phone of this name reported last.',
    env: 'SMSRELAY_MESSAGE_PHONE',
    helpValue: 'NAME',
  }),
  source: string({
    description: 'Messages created this way; website is the dashboard.',
    env: 'SMSRELAY_MESSAGE_SOURCE',
    options: sources,
  }),
  reason: string({
    description: 'Messages whose last error has these words.',
    env: 'SMSRELAY_MESSAGE_REASON',
    helpValue: 'TEXT',
  }),
  start: string({
    description: 'Number of messages to skip.',
    env: 'SMSRELAY_START',
    defaultHelp: async () => '0',
    helpValue: 'N',
  }),
  count: string({
    description: 'Number of messages to list, 1 to 100.',
    env: 'SMSRELAY_MESSAGE_COUNT',
    defaultHelp: async () => '50',
    helpValue: 'N',
  }),
  order: string({
    description: 'desc lists the newest first, asc the oldest.',
    env: 'SMSRELAY_ORDER',
    options: orders,
    default: 'desc',
  }),
}

type ListFlags = Readonly<Record<keyof typeof listFlags, string | undefined>>

export function parseListFlags(flags: ListFlags, now: number): ListFilterInput {
  const { since, until, start, count } = flags
  return {
    filter: messageFilterNames.find(name => name === flags.filter),
    order: orders.find(name => name === flags.order),
    since: since === undefined ? undefined : parseListTime('--since', since, now),
    until: until === undefined ? undefined : parseListTime('--until', until, now),
    to: flags.to,
    phone: flags.phone,
    source: sources.find(name => name === flags.source),
    reason: flags.reason,
    start:
      start === undefined ? undefined : parseInteger('--start', start, 0, Number.MAX_SAFE_INTEGER),
    count: count === undefined ? undefined : parseInteger('--count', count, 1, 100),
  }
}

/** Converts a flag such as `1d`, or a UTC time, to a UTC time. Throws `usage`. */
export function parseListTime(name: string, text: string, now: number): string {
  const [, digits, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (digits !== undefined) return formatDateTime(now - Number(digits) * (units[unit] ?? 0))
  try {
    return parseUtcTime(name, text)
  } catch {
    throw invalidValueError(name, text, 'is not a time', timeHint)
  }
}
