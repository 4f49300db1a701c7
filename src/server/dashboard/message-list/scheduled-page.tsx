import { getDueTime, type Message } from '../../../domain/message/message.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { formatLocalTime } from '../../../domain/time/zoned-time.js'
import type { ServerContext } from '../../http/server-context.js'
import { Card, Empty } from '../components/card.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Pagination } from '../components/pagination.js'
import { MessagePill } from '../components/pill.js'
import { Table } from '../components/table.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'
import { formatDate, formatDay, formatZone, readTimeZone } from '../page/page-times.js'
import { Recipient } from './message-rows.js'

export const scheduledPath = '/messages/scheduled'

const pageSize = 100

type Context = Pick<ServerContext, 'messageLists' | 'contacts'>

export function createScheduledPages(context: Context): Pages {
  return { [scheduledPath]: { GET: async request => await showScheduled(request, context) } }
}

async function showScheduled(
  request: PageRequest,
  { messageLists, contacts }: Context,
): Promise<PageResult> {
  const { account, now } = request
  const after = parsePlace(getQueryField(request, 'after'))
  const { messages, next } = await messageLists.listLater(account, after, pageSize)
  const numbers = messages.map(({ number }) => number)
  const names = await contacts.findNames(account, numbers)
  const zone = readTimeZone(request)
  const body = (
    <>
      {messages.length === 0 && (
        <Card label="Scheduled messages">
          <Empty icon="calendar" title="No scheduled messages">
            Messages that are scheduled for later or will be retried appear here.
          </Empty>
        </Card>
      )}
      {[...groupByDay(messages, zone)].map(([day, listed]) => (
        <Card title={formatDay(day)} id={`day-${day}`}>
          <DayTable {...{ day, zone, now, names }} messages={listed} />
        </Card>
      ))}
      <Pagination
        label="Pages of scheduled messages"
        path={scheduledPath}
        previous={after.at > 0 ? {} : undefined}
        previousLabel="First page"
        next={next && { after: `${next.at}-${next.id}` }}
      />
    </>
  )
  const lead =
    zone === 'UTC' ? 'By day in UTC.' : `By day in ${formatZone(zone)}, with UTC next to it.`
  const parent = { path: '/messages', label: 'Messages' }
  return showPage({ title: 'Scheduled messages', current: '/messages', parent, lead, body })
}

function parsePlace(text: string): { readonly at: number; readonly id: string } {
  const [, at = '0', id = ''] = /^(\d{1,15})-([\w-]{1,64})$/.exec(text) ?? []
  return { at: Number(at), id }
}

function groupByDay(messages: readonly Message[], zone: string): Map<string, Message[]> {
  const days = new Map<string, Message[]>()
  for (const message of messages) {
    const day = formatLocalTime(getDueTime(message), zone).slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), message])
  }
  return days
}

function DayTable(props: {
  readonly day: string
  readonly zone: string
  readonly now: number
  readonly messages: readonly Message[]
  /** Names of contacts by canonical number. */
  readonly names: ReadonlyMap<string, string>
}): Html {
  const { day, zone, now, messages, names } = props
  const isUtc = zone === 'UTC'
  return (
    <Table
      caption={`Messages of ${formatDay(day)}`}
      head={['To', `Time (${formatZone(zone)})`, ...(isUtc ? [] : ['UTC']), 'State', 'Text']}
      rows={messages.map(message => {
        const due = getDueTime(message)
        return [
          <Recipient message={message} name={names.get(message.number)} />,
          formatLocalTime(due, zone).slice(11),
          ...(isUtc ? [] : [formatDateTime(due).slice(0, 16)]),
          <MessagePill message={message} now={now} />,
          <span class="clip" dir="auto">
            {message.text}
          </span>,
        ]
      })}
      empty=""
    />
  )
}
