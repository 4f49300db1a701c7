// Pages about messages: `message-list-page.tsx` (this file) lists and searches them in the table
// of `message-rows.tsx`, `message-page.tsx` shows one with its `message-history.tsx`, which
// `message-actions.ts` locks, deletes, undeletes and retries, `message-edit-page.tsx` changes it,
// and `send-page.tsx` sends a text to one or more numbers. The last two share the fields and the
// validation of `message-form.tsx`.
// `received-texts-page.tsx` lists received texts; `do-not-text-page.tsx` and
// `do-not-text-file-page.tsx` show, change, import and export the Do Not Text list.
import type { Message } from '../../../domain/message/message.js'
import { type MessageFilter, messageFilterNames } from '../../../domain/message/message-filter.js'
import type { ServerContext } from '../../http/server-context.js'
import { searchMessages } from '../../services/messages/message-search.js'
import { Card } from '../components/card.js'
import { ButtonLink } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { buildLink, Pagination, parseStart } from '../components/pagination.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'
import { ages, MessageFilters, maxSearchLength } from './message-filters.js'
import { MessageTable } from './message-rows.js'

type Context = Pick<ServerContext, 'messages' | 'phones'>

export function createMessageListPages(context: Context): Pages {
  return { '/messages': { GET: async request => await showListPage(request, context) } }
}

const pageSize = 50

interface ListQuery {
  readonly filter: MessageFilter
  readonly order: 'asc' | 'desc'
  readonly start: number
  readonly words: string
  /** Age of the messages that are listed, one of {@link ages}; empty: any. */
  readonly age: string
  /** Name of the phone that last reported on the messages; empty: any. */
  readonly phone: string
}

/**
 * Shows the message list. The results of a search are not live: each event would make the server
 * search again.
 */
async function showListPage(request: PageRequest, context: Context): Promise<PageResult> {
  const query = parseListQuery(request)
  const { messages, next, note } = await loadMessages(request, context, query)
  const isSearch = isSearchQuery(query)
  const phones = (await context.phones.list(request.account)).map(({ name }) => name)
  const previous = isSearch ? 0 : Math.max(0, query.start - pageSize)
  const body = (
    <Card label="Messages">
      <StateTabs query={query} />
      <MessageFilters {...query} phones={phones} />
      {note !== undefined && (
        <p class="chips" role="status">
          <span>{note}</span>
          <a href={buildLink('/messages', { ...toQuery(query, 0), q: '', age: '', phone: '' })}>
            Clear the filters
          </a>
        </p>
      )}
      <MessageTable
        messages={messages}
        order={query.order}
        otherOrder={toQuery({ ...query, order: query.order === 'asc' ? 'desc' : 'asc' }, 0)}
        holdsNew={query.order === 'desc' && query.start === 0}
        now={request.now}
      />
      <Pagination
        label="Pages of messages"
        path="/messages"
        range={messages.length > 0 && !isSearch && formatRange(query.start, messages.length)}
        previous={query.start > 0 ? toQuery(query, previous) : undefined}
        previousLabel={isSearch ? 'First page' : 'Previous'}
        next={next === undefined ? undefined : toQuery(query, next)}
      />
    </Card>
  )
  const actions = <ButtonLink href="/send/many" label="Send many" icon="table" />
  const page = { title: 'Messages', current: '/messages', actions, body }
  return showPage(isSearch ? page : { ...page, isLive: true })
}

function formatRange(start: number, count: number): string {
  const format = (value: number): string => value.toLocaleString('en')
  return `${format(start + 1)} to ${format(start + count)}`
}

function isSearchQuery({ words, age, phone }: ListQuery): boolean {
  return words !== '' || age !== '' || phone !== ''
}

interface LoadedMessages {
  readonly messages: readonly Message[]
  readonly next: number | undefined
  readonly note?: string
}

async function loadMessages(
  request: PageRequest,
  { messages }: Context,
  query: ListQuery,
): Promise<LoadedMessages> {
  const { filter, start, order, words, age, phone } = query
  if (!isSearchQuery(query)) {
    const count = pageSize + 1
    const listed = await messages.list(request.account, { filter, start, count, order })
    const next = listed.length > pageSize ? start + pageSize : undefined
    return { messages: listed.slice(0, pageSize), next }
  }
  const length = ages.find(([name]) => name === age)?.[2]
  const since = length === undefined ? undefined : request.now - length
  const criteria = { words, since, phone: phone === '' ? undefined : phone }
  const search = { filter, start, count: pageSize, order, ...criteria }
  const found = await searchMessages(messages, request.account, search)
  const more = found.next === undefined ? '' : ' The next page has more.'
  const results = `${found.messages.length} of ${found.seen} messages match.`
  return { messages: found.messages, next: found.next, note: results + more }
}

const tabs = [
  ['all', 'All'],
  ['normal', 'Waiting'],
  ['error', 'Retrying'],
  ['sent', 'Sent'],
  ['failed', 'Failed'],
  ['locked', 'Locked'],
  ['blocked', 'Blocked'],
  ['deleted', 'Cancelled'],
] as const satisfies readonly (readonly [MessageFilter, string])[]

function StateTabs({ query }: { readonly query: ListQuery }): Html {
  return (
    <nav class="tabs" aria-label="By state">
      {tabs.map(([filter, label]) => (
        <a
          href={buildLink('/messages', toQuery({ ...query, filter }, 0))}
          aria-current={filter === query.filter ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  )
}

function parseListQuery(request: PageRequest): ListQuery {
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

function toQuery(
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
