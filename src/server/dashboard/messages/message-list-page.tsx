import type { Message } from '../../../domain/message/message.js'
import { type MessageFilter, messageFilterNames } from '../../../domain/message/message-filter.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import { searchMessages } from '../../services/messages/message-search.js'
import { Button } from '../components/form.js'
import { Select, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink, Pagination } from '../components/pagination.js'
import { StatusBadge } from '../components/status-badge.js'
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
import { showMessagePage } from './message-page.js'
import { getMessagePath } from './message-path.js'

type Context = Pick<ServerContext, 'messages'>

/** The list of messages, and each of them. */
export function createMessagePages(context: Context): Pages {
  return {
    '/messages': { GET: async request => await showListPage(request, context) },
    '/messages/:id': {
      GET: async request => {
        const id = getParam(request.http, 'id')
        return showMessagePage(
          request,
          await context.messages.getIncludingDeleted(request.account, id),
        )
      },
    },
  }
}

const pageSize = 50
const maxSearchLength = 200

/** What a list shows, as it stands in the query. */
interface ListQuery {
  readonly filter: MessageFilter
  readonly order: 'asc' | 'desc'
  readonly start: number
  readonly words: string
}

/** Searches are not live: each would go through many messages for every event. */
async function showListPage(request: PageRequest, context: Context): Promise<PageResult> {
  const wanted = parseListQuery(request)
  const { messages, next, note } = await loadMessages(request, context, wanted)
  const list = <MessageTable messages={messages} note={note} />
  const path = buildLink('/messages', toQuery(wanted))
  const live = { id: 'messages', path, children: list }
  if (request.isPartial) return showLiveSection(request, live)
  const isSearch = wanted.words !== ''
  const previous = isSearch ? 0 : Math.max(0, wanted.start - pageSize)
  const body = (
    <>
      <Filters wanted={wanted} />
      {isSearch ? list : <LiveSection {...live} />}
      <Pagination
        label="Pages of messages"
        path="/messages"
        previous={wanted.start > 0 ? toQuery(wanted, previous) : undefined}
        previousLabel={isSearch ? 'First page' : 'Previous'}
        next={next === undefined ? undefined : toQuery(wanted, next)}
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
  wanted: ListQuery,
): Promise<LoadedMessages> {
  const { filter, start, order, words } = wanted
  if (words === '') {
    const count = pageSize + 1
    const listed = await messages.list(request.account, { filter, start, count, order })
    const next = listed.length > pageSize ? start + pageSize : undefined
    return { messages: listed.slice(0, pageSize), next }
  }
  const search = { filter, start, count: pageSize, words }
  const found = await searchMessages(messages, request.account, search)
  const more = found.next === undefined ? '' : ' Older ones are on the next page.'
  const note = `${found.messages.length} found among ${found.seen} messages, the newest first.${more}`
  return { messages: found.messages, next: found.next, note }
}

function MessageTable(props: { messages: readonly Message[]; note: string | undefined }): Html {
  return (
    <>
      {props.note !== undefined && <p role="status">{props.note}</p>}
      <Table
        caption="Messages"
        head={['Status', 'To', 'Message', 'Created', 'Source']}
        rows={props.messages.map(message => [
          <StatusBadge status={message.status} />,
          <a class="number" href={getMessagePath(message.id)}>
            {message.destination}
          </a>,
          <span class="clip">{message.text}</span>,
          <Time at={message.createdAt} />,
          message.source,
        ])}
        empty="There are no such messages."
      />
    </>
  )
}

function Filters({ wanted }: { readonly wanted: ListQuery }): Html {
  return (
    <form method="get" action="/messages" class="filters" aria-label="Which messages">
      <Select label="Show" name="filter" value={wanted.filter} options={filterOptions} />
      <Select
        label="Order"
        name="order"
        value={wanted.order}
        options={[
          ['desc', 'newest first'],
          ['asc', 'oldest first'],
        ]}
      />
      <TextField
        label="Text or number"
        name="q"
        type="search"
        value={wanted.words}
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
  const start = Number(getQueryField(request, 'start'))
  return {
    filter: messageFilterNames.find(name => name === filter) ?? 'all',
    order: getQueryField(request, 'order') === 'asc' ? 'asc' : 'desc',
    start: Number.isSafeInteger(start) && start > 0 ? start : 0,
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
