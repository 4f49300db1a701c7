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
import { Button, ButtonLink } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { buildLink, Pagination, parseStart } from '../components/pagination.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'
import { MessageTable } from './message-rows.js'

type Context = Pick<ServerContext, 'messages'>

export function createMessageListPages(context: Context): Pages {
  return { '/messages': { GET: async request => await showListPage(request, context) } }
}

const pageSize = 50
const maxSearchLength = 200

interface ListQuery {
  readonly filter: MessageFilter
  readonly order: 'asc' | 'desc'
  readonly start: number
  readonly words: string
}

/**
 * Shows the message list. The results of a search are not live: each event would make the server
 * search again.
 */
async function showListPage(request: PageRequest, context: Context): Promise<PageResult> {
  const query = parseListQuery(request)
  const { messages, next, note } = await loadMessages(request, context, query)
  const isSearch = query.words !== ''
  const previous = isSearch ? 0 : Math.max(0, query.start - pageSize)
  const body = (
    <Card label="Messages">
      <StateTabs query={query} />
      <Filters query={query} />
      {note !== undefined && (
        <p class="chips" role="status">
          <span>{note}</span>
          <a href={buildLink('/messages', { ...toQuery(query, 0), q: '' })}>Clear the search</a>
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
  const { filter, start, order, words } = query
  if (words === '') {
    const count = pageSize + 1
    const listed = await messages.list(request.account, { filter, start, count, order })
    const next = listed.length > pageSize ? start + pageSize : undefined
    return { messages: listed.slice(0, pageSize), next }
  }
  const search = { filter, start, count: pageSize, words }
  const found = await searchMessages(messages, request.account, search)
  const more = found.next === undefined ? '' : ' The next page has older ones.'
  const results = `${found.messages.length} of ${found.seen} messages match, newest first.`
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

function Filters({ query }: { readonly query: ListQuery }): Html {
  const { filter, order, words } = query
  return (
    <form method="get" action="/messages" class="filters" id="find" aria-label="Search">
      {filter !== 'all' && <input type="hidden" name="filter" value={filter} />}
      {order === 'asc' && <input type="hidden" name="order" value="asc" />}
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          name="q"
          value={words}
          maxlength={maxSearchLength}
          placeholder="Number or text"
          aria-label="Number or text of the message"
        />
      </div>
      <Button label="Search" variant="secondary" />
    </form>
  )
}

function parseListQuery(request: PageRequest): ListQuery {
  const filter = getQueryField(request, 'filter')
  return {
    filter: messageFilterNames.find(name => name === filter) ?? 'all',
    order: getQueryField(request, 'order') === 'asc' ? 'asc' : 'desc',
    start: parseStart(getQueryField(request, 'start')),
    words: getQueryField(request, 'q').trim().slice(0, maxSearchLength),
  }
}

function toQuery({ filter, order, words, start }: ListQuery, from = start): Record<string, string> {
  return {
    filter: filter === 'all' ? '' : filter,
    order: order === 'desc' ? '' : order,
    q: words,
    start: from === 0 ? '' : String(from),
  }
}
