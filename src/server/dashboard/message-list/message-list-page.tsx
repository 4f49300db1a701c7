// Lists of messages, which a person filters, searches and downloads:
// - message-list-page (this file): the page with the list; its rows are in `message-rows.tsx`, its
//   search and its filters in `message-filters.tsx`
// - scheduled-page: messages that are due later, by day
// - message-csv-page: the whole list as a file, streamed
// - message-list-query: the query of both, and the search that it means
// - bulk-bar: the selection of messages and the actions for it; bulk-actions-page confirms and runs
//   them, in the words of bulk-texts
import type { Message, Status } from '../../../domain/message/message.js'
import type { StatusCounts } from '../../../domain/message/message-counts.js'
import { type MessageFilter, messageFilters } from '../../../domain/message/message-filter.js'
import { formatCount } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import { searchMessages } from '../../services/messages/message-search.js'
import { Card } from '../components/card.js'
import { ButtonLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { buildLink, Pagination } from '../components/pagination.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { formatZone, readTimeZone } from '../page/page-times.js'
import { describeSearch, FilterChips } from './filter-chips.js'
import { MessageFilters } from './message-filters.js'
import {
  buildCsvLink,
  isSearchQuery,
  type ListQuery,
  parseListQuery,
  toQuery,
  toSearch,
} from './message-list-query.js'
import { MessageTable } from './message-rows.js'
import { scheduledPath } from './scheduled-page.js'

type Context = Pick<ServerContext, 'messages' | 'messageLists' | 'phones' | 'contacts'>

export function createMessageListPages(context: Context): Pages {
  return { '/messages': { GET: async request => await showListPage(request, context) } }
}

const pageSize = 50

/**
 * Shows the message list. The results of a search are not live: each event would make the server
 * search again.
 */
async function showListPage(request: PageRequest, context: Context): Promise<PageResult> {
  const query = parseListQuery(request)
  const isSearch = isSearchQuery(query)
  const [{ messages, names, next, note }, phones, counts] = await Promise.all([
    loadNamedMessages(request, context, query),
    context.phones.list(request.account),
    isSearch ? undefined : context.messageLists.countStatuses(request.account),
  ])
  const body = (
    <Card label="Messages">
      <StateTabs query={query} counts={counts} />
      <MessageFilters
        query={query}
        phones={phones.map(({ name }) => name)}
        zone={formatZone(readTimeZone(request))}
      />
      {note !== undefined && <FilterChips query={query} note={note} />}
      <MessageTable
        messages={messages}
        names={names}
        query={query}
        csrf={request.csrf}
        total={counts && formatTotal(counts, messageFilters[query.filter])}
        holdsNew={query.order === 'desc' && query.start === 0}
        now={request.now}
      />
      <Pagination
        label="Pages of messages"
        path="/messages"
        range={messages.length > 0 ? <Range query={query} count={messages.length} /> : undefined}
        {...createNeighborQueries(query, messages, next)}
        previousLabel={isSearch ? 'First page' : 'Previous'}
        nextLabel={isSearch && messages.length < pageSize ? 'Search further' : 'Next'}
      />
    </Card>
  )
  const page = { title: 'Messages', current: '/messages', actions: <Links query={query} />, body }
  return showPage(isSearch ? page : { ...page, isLive: true })
}

/** The queries of the pages before and behind; those of a list begin or end at a message. */
function createNeighborQueries(
  query: ListQuery,
  messages: readonly Message[],
  next: number | undefined,
) {
  const isSearch = isSearchQuery(query)
  const [before = '', after = ''] = isSearch ? [] : [messages[0]?.id, messages.at(-1)?.id]
  const previous = isSearch ? 0 : Math.max(0, query.start - pageSize)
  return {
    previous: query.start > 0 ? toQuery({ ...query, before, after: '' }, previous) : undefined,
    next: next === undefined ? undefined : toQuery({ ...query, before: '', after }, next),
  }
}

function Links({ query }: { readonly query: ListQuery }): Html {
  return (
    <>
      <a class="btn" href={buildCsvLink(query)} download="">
        <Icon name="download" />
        Export as CSV
      </a>
      <ButtonLink href="/send/many" label="Send many" icon="table" />
    </>
  )
}

function Range({ query, count }: { readonly query: ListQuery; count: number }): Html {
  const { start, times } = query
  const format = (value: number): string => formatCount(value)
  const other = toQuery({ ...query, times: times === 'exact' ? '' : 'exact' })
  return (
    <>
      {!isSearchQuery(query) && `${format(start + 1)} to ${format(start + count)} · `}
      <a href={buildLink('/messages', other)}>
        {times === 'exact' ? 'Show relative times' : 'Show exact times'}
      </a>
    </>
  )
}

interface LoadedMessages {
  readonly messages: readonly Message[]
  readonly next: number | undefined
  readonly note?: string
}

async function loadNamedMessages(request: PageRequest, context: Context, query: ListQuery) {
  const loaded = await loadMessages(request, context, query)
  const numbers = loaded.messages.map(({ number }) => number)
  return { ...loaded, names: await context.contacts.findNames(request.account, numbers) }
}

async function loadMessages(
  request: PageRequest,
  { messages }: Context,
  query: ListQuery,
): Promise<LoadedMessages> {
  const { filter, start, order, after, before } = query
  if (!isSearchQuery(query)) {
    const page = { filter, start, order, after: after || undefined, before: before || undefined }
    const count = before === '' ? pageSize + 1 : pageSize
    const listed = await messages.list(request.account, { ...page, count })
    const next = before !== '' || listed.length > pageSize ? start + pageSize : undefined
    return { messages: listed.slice(0, pageSize), next }
  }
  const search = { ...toSearch(query, request), start, count: pageSize }
  const first = { ...search, most: messages.searchSizes.page }
  const found = await searchMessages(messages, request.account, start === 0 ? first : search)
  const note = describeSearch(found, query, pageSize)
  return { messages: found.messages, next: found.next, note }
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

interface StateTabsProps {
  readonly query: ListQuery
  readonly counts: StatusCounts | undefined
}

function StateTabs({ query, counts }: StateTabsProps): Html {
  return (
    <nav class="tabs" aria-label="By state">
      {tabs.map(([filter, label]) => (
        <a
          href={buildLink('/messages', toQuery({ ...query, filter }, 0))}
          aria-current={filter === query.filter ? 'page' : undefined}
        >
          {label}
          {counts && <span>{formatTotal(counts, messageFilters[filter])}</span>}
        </a>
      ))}
      <a href={scheduledPath}>Scheduled</a>
    </nav>
  )
}

function formatTotal(counts: StatusCounts, statuses: readonly Status[]): string {
  return formatCount(statuses.reduce((sum, status) => sum + counts[status], 0))
}
