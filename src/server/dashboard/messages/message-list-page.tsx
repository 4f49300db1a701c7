// Pages about messages: `message-list-page.tsx` (this file) lists and searches them,
// `message-page.tsx` shows one with its `message-history.tsx` and locks, deletes and undeletes it,
// `message-edit-page.tsx` changes it, and `send-page.tsx` sends a text to one or more numbers. The
// last two share the fields and the validation of `message-form.tsx`.
// `received-texts-page.tsx` lists received texts; `do-not-text-page.tsx` and
// `do-not-text-file-page.tsx` show, change, import and export the Do Not Text list.
import type { Message } from '../../../domain/message/message.js'
import { type MessageFilter, messageFilterNames } from '../../../domain/message/message-filter.js'
import type { ServerContext } from '../../http/server-context.js'
import { searchMessages } from '../../services/messages/message-search.js'
import { Button } from '../components/form.js'
import { Select, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink, Pagination, parseStart } from '../components/pagination.js'
import { DeliveryBadge, StatusBadge } from '../components/status-badge.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { LiveSection, showLiveSection } from '../page/live-section.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'
import { getMessagePath } from './message-page.js'

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
  const list = <MessageTable messages={messages} note={note} />
  const path = buildLink('/messages', toQuery(query))
  const live = { id: 'messages', path, children: list }
  if (request.isPartial) return showLiveSection(request, live)
  const isSearch = query.words !== ''
  const previous = isSearch ? 0 : Math.max(0, query.start - pageSize)
  const body = (
    <>
      <Filters query={query} />
      {isSearch ? list : <LiveSection {...live} />}
      <Pagination
        label="Pages of messages"
        path="/messages"
        previous={query.start > 0 ? toQuery(query, previous) : undefined}
        previousLabel={isSearch ? 'First page' : 'Previous'}
        next={next === undefined ? undefined : toQuery(query, next)}
      />
    </>
  )
  return showPage({ title: 'Messages', current: '/messages', body })
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

function MessageTable(props: { messages: readonly Message[]; note: string | undefined }): Html {
  return (
    <>
      {props.note !== undefined && <p role="status">{props.note}</p>}
      <Table
        caption="Messages"
        head={['Status', 'To', 'Message', 'Created', 'Source']}
        rows={props.messages.map(message => [
          <>
            <StatusBadge status={message.status} /> <DeliveryBadge message={message} />
          </>,
          <a class="number" href={getMessagePath(message.id)}>
            {message.destination}
          </a>,
          <span class="clip">{message.text}</span>,
          <Time at={message.createdAt} />,
          message.source,
        ])}
        empty="There are no matching messages."
      />
    </>
  )
}

function Filters({ query }: { readonly query: ListQuery }): Html {
  return (
    <form method="get" action="/messages" class="filters" aria-label="Filter messages">
      <Select label="Show" name="filter" value={query.filter} options={filterOptions} />
      <Select
        label="Order"
        name="order"
        value={query.order}
        options={[
          ['desc', 'newest first'],
          ['asc', 'oldest first'],
        ]}
      />
      <TextField
        label="Text or number"
        name="q"
        type="search"
        value={query.words}
        maxlength={maxSearchLength}
      />
      <Button label="Show" variant="secondary" />
    </form>
  )
}

const filterOptions = messageFilterNames.map(
  name => [name, name === 'normal' ? 'waiting (new or error)' : name] as const,
)

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
