import { type MessageFilter, messageFilterNames } from '../../../domain/message/message-filter.js'
import type { MessageSearch } from '../../services/messages/message-search.js'
import { buildLink, parseStart } from '../components/pagination.js'
import { getQueryField, type PageRequest } from '../page/page.js'
import { ages, maxSearchLength } from './message-filters.js'

/** What the query of the dashboard's list of messages, or of its CSV file, asks for. */
export interface ListQuery {
  readonly filter: MessageFilter
  readonly order: 'asc' | 'desc'
  readonly start: number
  readonly words: string
  /** Age of the messages that are listed, one of {@link ages}; empty: any. */
  readonly age: string
  /** Name of the phone that last reported on the messages; empty: any. */
  readonly phone: string
}

export function parseListQuery(request: PageRequest): ListQuery {
  const filter = getQueryField(request, 'filter')
  return {
    filter: messageFilterNames.find(name => name === filter) ?? 'all',
    order: getQueryField(request, 'order') === 'asc' ? 'asc' : 'desc',
    start: parseStart(getQueryField(request, 'start')),
    words: getQueryField(request, 'q').trim().slice(0, maxSearchLength),
    age: ages.find(([name]) => name === getQueryField(request, 'age'))?.[0] ?? '',
    phone: getQueryField(request, 'phone').slice(0, maxSearchLength),
  }
}

/** The parameters of a link to the list of messages on the dashboard; empty ones are defaults. */
export function toQuery(
  { filter, order, words, age, phone, start }: ListQuery,
  from = start,
): Record<string, string> {
  return {
    filter: filter === 'all' ? '' : filter,
    order: order === 'desc' ? '' : order,
    q: words,
    age,
    phone,
    start: from === 0 ? '' : String(from),
  }
}

/** The link to the dashboard's CSV file of all messages of a list, not only those of its page. */
export function buildCsvLink(query: ListQuery): string {
  return buildLink('/messages.csv', toQuery(query, 0))
}

/** Whether a list of messages on the dashboard is searched, and not only those of a state. */
export function isSearchQuery({ words, age, phone }: ListQuery): boolean {
  return words !== '' || age !== '' || phone !== ''
}

/** The search for all messages of a list of the dashboard. @param now in milliseconds */
export function toSearch(
  { filter, order, words, age, phone }: ListQuery,
  now: number,
): Omit<MessageSearch, 'start' | 'count'> {
  const length = ages.find(([name]) => name === age)?.[2]
  const since = length === undefined ? undefined : now - length
  return { filter, order, words, since, phone: phone === '' ? undefined : phone }
}
