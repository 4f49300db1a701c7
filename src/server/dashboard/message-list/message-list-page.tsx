// Lists of messages, which a person filters, searches and downloads:
// - message-list-page (this file): the page with the list; its rows are in `message-rows.tsx`, its
//   search and its filters in `message-filters.tsx`
// - message-csv-page: the whole list as a file, streamed
// - message-list-query: the query of both, and the search that it means
// - bulk-bar: the selection of messages and the actions for it; bulk-actions-page confirms and runs
//   them, in the words of bulk-texts
import type { Message } from '../../../domain/message/message.js'
import type { MessageFilter } from '../../../domain/message/message-filter.js'
import type { ServerContext } from '../../http/server-context.js'
import { searchMessages } from '../../services/messages/message-search.js'
import { Card } from '../components/card.js'
import { ButtonLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { buildLink, Pagination } from '../components/pagination.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
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

type Context = Pick<ServerContext, 'messages' | 'phones'>

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
        query={query}
        csrf={request.csrf}
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
  const page = { title: 'Messages', current: '/messages', actions: <Links query={query} />, body }
  return showPage(isSearch ? page : { ...page, isLive: true })
}

function Links({ query }: { readonly query: ListQuery }): Html {
  return (
    <>
      <a class="btn" href={buildCsvLink(query)} download="">
        <Icon name="download" />
        CSV
      </a>
      <ButtonLink href="/send/many" label="Send many" icon="table" />
    </>
  )
}

function formatRange(start: number, count: number): string {
  const format = (value: number): string => value.toLocaleString('en')
  return `${format(start + 1)} to ${format(start + count)}`
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
  const { filter, start, order } = query
  if (!isSearchQuery(query)) {
    const count = pageSize + 1
    const listed = await messages.list(request.account, { filter, start, count, order })
    const next = listed.length > pageSize ? start + pageSize : undefined
    return { messages: listed.slice(0, pageSize), next }
  }
  const search = { ...toSearch(query, request.now), start, count: pageSize }
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
