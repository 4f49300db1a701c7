import { type Source, sources } from '../../../domain/message/message.js'
import { type MessageFilter, messageFilterNames } from '../../../domain/message/message-filter.js'
import { addDays, findDayStart } from '../../../domain/time/local-day.js'
import type { MessageSearch } from '../../services/messages/message-search.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink, parseStart } from '../components/pagination.js'
import { getField, getQueryField, type PageRequest } from '../page/page.js'
import { parseDay, readTimeZone } from '../page/page-times.js'

export const maxSearchLength = 200

const day = 24 * 60 * 60 * 1000

/** Filters by the age of messages: the name in the address, the label, and milliseconds. */
export const ages = [
  ['day', 'Last 24 hours', day],
  ['week', 'Last 7 days', 7 * day],
  ['month', 'Last 30 days', 30 * day],
] as const

export interface ListQuery {
  readonly filter: MessageFilter
  readonly order: 'asc' | 'desc'
  readonly start: number
  /** Identifier of the message before the page; empty if it is not known. */
  readonly after: string
  /** Identifier of the message behind the page; empty if it is not known. */
  readonly before: string
  readonly words: string
  /** Age of the messages that are listed, one of {@link ages}; empty: any. */
  readonly age: string
  /** Name of the phone that last reported on the messages; empty: any. */
  readonly phone: string
  /** How the messages were created; empty: any way. */
  readonly source: Source | ''
  /** First day of the messages, `YYYY-MM-DD` in the reader's time zone; empty: any. */
  readonly from: string
  /** Last day of the messages; empty: any. */
  readonly to: string
  /** Whether the list shows times with their date and seconds. */
  readonly times: 'exact' | ''
}

export function parseListQuery(request: PageRequest): ListQuery {
  return parseList(request, name => getQueryField(request, name))
}

export function parseListFields(request: PageRequest): ListQuery {
  return parseList(request, name => getField(request, name))
}

function parseList(request: PageRequest, read: (name: string) => string): ListQuery {
  const filter = read('filter')
  return {
    filter: messageFilterNames.find(name => name === filter) ?? 'all',
    order: read('order') === 'asc' ? 'asc' : 'desc',
    start: parseStart(read('start')),
    after: parseId(read('after')),
    before: parseId(read('before')),
    words: read('q').trim().slice(0, maxSearchLength),
    age: ages.find(([name]) => name === read('age'))?.[0] ?? '',
    phone: read('phone').slice(0, maxSearchLength),
    source: sources.find(name => name === read('source')) ?? '',
    from: parseDay(read('from'), request),
    to: parseDay(read('to'), request),
    times: read('times') === 'exact' ? 'exact' : '',
  }
}

function parseId(text: string): string {
  return /^[\w-]{1,64}$/.test(text) ? text : ''
}

export function QueryFields({ query }: { readonly query: ListQuery }): Html {
  const fields = Object.entries(toQuery(query, 0)).filter(([, value]) => value !== '')
  return (
    <>
      {fields.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

export function toQuery(query: ListQuery, from = query.start): Record<string, string> {
  const { filter, order, words, age, phone, source, from: firstDay, to, times } = query
  const { after, before } = from === 0 ? { after: '', before: '' } : query
  return {
    filter: filter === 'all' ? '' : filter,
    order: order === 'desc' ? '' : order,
    q: words,
    age,
    phone,
    source,
    from: firstDay,
    to,
    times,
    start: from === 0 ? '' : String(from),
    after,
    before,
  }
}

export function buildCsvLink(query: ListQuery): string {
  return buildLink('/messages.csv', toQuery(query, 0))
}

export function isSearchQuery(query: ListQuery): boolean {
  return listFilterNames(query).length > 0
}

const filterNames = ['words', 'age', 'from', 'to', 'source', 'phone'] as const

export function listFilterNames(query: ListQuery) {
  return filterNames.filter(name => query[name] !== '')
}

export function toSearch(
  { filter, order, words, age, phone, source, from, to }: ListQuery,
  request: Pick<PageRequest, 'now' | 'http' | 'account'>,
): Omit<MessageSearch, 'start' | 'count'> {
  const { now } = request
  const zone = readTimeZone(request)
  const length = ages.find(([name]) => name === age)?.[2]
  const oldest = length === undefined ? undefined : now - length
  const firstDay = from === '' ? undefined : findDayStart(from, zone)
  return {
    ...{ filter, order, words },
    since: oldest === undefined ? firstDay : Math.max(oldest, firstDay ?? oldest),
    until: to === '' ? undefined : findDayStart(addDays(to, 1), zone),
    phone: phone === '' ? undefined : phone,
    source: source === '' ? undefined : source,
  }
}
