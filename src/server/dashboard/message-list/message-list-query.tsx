import { type MessageFilter, messageFilterNames } from '../../../domain/message/message-filter.js'
import type { MessageSearch } from '../../services/messages/message-search.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink, parseStart } from '../components/pagination.js'
import { getField, getQueryField, type PageRequest } from '../page/page.js'
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
  return parseList(name => getQueryField(request, name))
}

/** The list of messages that a form of the dashboard names with {@link QueryFields}. */
export function parseListFields(request: PageRequest): ListQuery {
  return parseList(name => getField(request, name))
}

function parseList(read: (name: string) => string): ListQuery {
  const filter = read('filter')
  return {
    filter: messageFilterNames.find(name => name === filter) ?? 'all',
    order: read('order') === 'asc' ? 'asc' : 'desc',
    start: parseStart(read('start')),
    words: read('q').trim().slice(0, maxSearchLength),
    age: ages.find(([name]) => name === read('age'))?.[0] ?? '',
    phone: read('phone').slice(0, maxSearchLength),
  }
}

/** Hidden fields that name a list of messages in a form of the dashboard. */
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
