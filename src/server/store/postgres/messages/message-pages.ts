import type { Message, Status } from '../../../../domain/message/message.js'
import { maxCounted, type StatusCounts } from '../../../../domain/message/message-counts.js'
import {
  findFirstTime,
  isBeyond,
  type MessageCriteria,
  matchesCriteria,
} from '../../../../domain/message/message-criteria.js'
import { messageFilters } from '../../../../domain/message/message-filter.js'
import type { QueueDepth } from '../../../../domain/message/queue-depth.js'
import type { FoundMessages, LaterPlace, MessageQuery } from '../../message-store.js'
import type { Connection, Statement } from '../connection/statement.js'
import { type MessageRow, messageColumns, rowToMessage } from '../message-rows/message-row.js'
import type { HeldQuery } from './message-times.js'

type Order = MessageQuery['order']

const statements = new Map<string, Statement>()
/** Messages of a search in one statement. */
const searchPage = 500

const buildAfter = (order: Order) => `and id ${order === 'asc' ? '>' : '<'} $4`

/**
 * The statement of a page of messages with some of the statuses. Each status has its own order in
 * the index, so the page is the beginning of the merged orders.
 */
function getPageStatement(statuses: number | 'all', order: Order, isContinued: boolean): Statement {
  const name = `list_messages_${statuses}_${order}${isContinued ? '_after' : ''}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const sorted = `order by id ${order}`
  const after = isContinued ? buildAfter(order) : ''
  const first = isContinued ? 5 : 4
  const parts = Array.from(
    { length: statuses === 'all' ? 1 : statuses },
    (_, at) => `(select id from message where account = $1
      ${statuses === 'all' ? '' : `and status = $${at + first}::"char"`} ${after}
      ${sorted} limit $2::bigint + $3::bigint)`,
  )
  const text = `
select ${messageColumns}
from (select id from (${parts.join(' union all ')}) as every
  ${sorted} offset $2::bigint limit $3::bigint) as page
join message m on m.account = $1 and m.id = page.id
order by m.id ${order}`
  const statement = { name, text }
  statements.set(name, statement)
  return statement
}

/** The statement of a page of the messages to one number, which have an order of their own. */
function getNumberStatement(order: Order, isContinued: boolean): Statement {
  const name = `list_messages_to_${order}${isContinued ? '_after' : ''}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const [number, statuses] = isContinued ? ['$5', '$6'] : ['$4', '$5']
  const text = `
select ${messageColumns} from message m
where account = $1 and number = ${number}::text and status = any(${statuses}::"char"[])
  ${isContinued ? buildAfter(order) : ''}
order by id ${order} offset $2::bigint limit $3::bigint`
  const statement = { name, text }
  statements.set(name, statement)
  return statement
}

/** What else restricts a list of messages. */
interface ListLimits {
  /** What the identifiers of all messages before the list begin with, without `after`. */
  readonly first?: string | undefined
  /** Canonical number of the recipient. */
  readonly number?: string | undefined
}

/** Reads a page of an account's messages from the database. */
export async function listMessages(
  connection: Connection,
  { account, statuses, start, count, order, after }: MessageQuery,
  { first, number }: ListLimits = {},
): Promise<Message[]> {
  if (statuses.length === 0) return []
  const isAll = statuses.length === messageFilters.all.length
  const isContinued = (after ?? first) !== undefined
  const values: unknown[] = [account, after === undefined ? start : 0, count]
  if (isContinued) values.push(after ?? first)
  if (number !== undefined) values.push(number, statuses)
  else if (!isAll) values.push(...statuses)
  const statement =
    number === undefined
      ? getPageStatement(isAll ? 'all' : statuses.length, order, isContinued)
      : getNumberStatement(order, isContinued)
  const rows = await connection.query<MessageRow>(statement, values)
  return rows.map(rowToMessage)
}

/**
 * Searches the messages of a page in the database, in parts, until `count` are found. If the
 * criteria have a number, the page is one of the messages to it.
 */
export async function searchMessages(
  connection: Connection,
  query: MessageQuery,
  criteria: MessageCriteria,
  count: number,
): Promise<FoundMessages> {
  const messages: Message[] = []
  let seen = 0
  let last = query.after
  const firstTime = findFirstTime(criteria, query.order)
  const first = firstTime === undefined ? undefined : toIdPrefix(firstTime)
  const { number } = criteria
  while (seen < query.count && messages.length < count) {
    const wanted = Math.min(searchPage, query.count - seen)
    const page = { ...query, start: query.start + seen, count: wanted, after: last }
    const listed = await listMessages(connection, page, { first, number })
    for (const message of listed) {
      if (messages.length === count) break
      if (isBeyond(criteria, message.createdAt, query.order))
        return { messages, seen, isLast: true }
      seen += 1
      last = message.id
      if (matchesCriteria(criteria, message)) messages.push(message)
    }
    if (listed.length < wanted) break
  }
  return { messages, seen, last }
}

/** The beginning of the identifiers of that time, which are UUIDs of version 7 (RFC 9562, 5.7). */
export function toIdPrefix(at: number): string {
  const digits = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

const listLaterRows: Statement = {
  name: 'list_later_messages',
  text: `
select ${messageColumns} from message m
where m.account = $1 and m.available_at is not null and (m.available_at, m.id) > ($2::bigint, $3)
order by m.available_at, m.id limit $4`,
}

/** Lists waiting messages in the database that become available after a place. */
export async function listLater(
  connection: Connection,
  account: string,
  { at, id }: LaterPlace,
  count: number,
): Promise<Message[]> {
  const rows = await connection.query<MessageRow>(listLaterRows, [account, at, id, count])
  return rows.map(rowToMessage)
}

const listHeldRows: Statement = {
  name: 'list_held_messages',
  text: `
select ${messageColumns} from message m
where m.account = $1 and m.holder = $2 and m.lease_until > $3 and m.available_at is not null
order by m.lease_until desc, m.id desc limit $4`,
}

/** Lists the messages in the database that a phone leases at `now`. */
export async function listHeld(
  connection: Connection,
  { account, holder, now }: Omit<HeldQuery, 'since'>,
  count: number,
): Promise<Message[]> {
  const values = [account, holder, now, count]
  return (await connection.query<MessageRow>(listHeldRows, values)).map(rowToMessage)
}

interface StatusCountRow {
  readonly status: Status
  readonly count: number
}

/** Each state is counted in the index `message_list`, up to a limit. */
const countByStatus: Statement = {
  name: 'count_message_statuses',
  text: `
select s.status, (select count(*) from (
    select from message m where m.status = s.status and m.account = $1 limit $2
  ) as counted) as count
from unnest($3::"char"[]) as s(status)`,
}

/** Counts the messages of an account in the database by state. */
export async function countStatuses(
  connection: Connection,
  account: string,
): Promise<StatusCounts> {
  const values = [account, maxCounted + 1, messageFilters.all]
  const rows = await connection.query<StatusCountRow>(countByStatus, values)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count])) as never
}

interface DepthRow {
  readonly waiting: number
  readonly due: number
  readonly leased: number
  readonly oldest: number | null
}

const readDepth: Statement = {
  name: 'read_queue_depth',
  text: `
select
  (select count(*) from message where account = $1 and available_at is not null) as waiting,
  (select count(*) from message where account = $1 and available_at < $2) as due,
  (select count(*) from message where account = $1 and holder is not null
    and available_at is not null and lease_until >= $2) as leased,
  (select due_at from message where account = $1 and available_at is not null
    order by available_at, id limit 1) as oldest`,
}

/** Counts the waiting messages of an account in the database, exact to the second. */
export async function readQueueDepth(
  connection: Connection,
  account: string,
  now: number,
): Promise<QueueDepth> {
  const bound = (Math.floor(now / 1000) + 1) * 1000
  return toDepth(await connection.query<DepthRow>(readDepth, [account, bound]))
}

const readTotal: Statement = {
  name: 'read_total_depth',
  text: `
select count(*) as waiting, count(*) filter (where available_at < $1) as due,
  count(*) filter (where holder is not null and lease_until >= $1) as leased,
  min(due_at) filter (where available_at < $1) as oldest
from message where available_at is not null`,
}

/** Counts the waiting messages of all accounts in the database, exact to the second. */
export async function readTotalDepth(connection: Connection, now: number): Promise<QueueDepth> {
  const bound = (Math.floor(now / 1000) + 1) * 1000
  return toDepth(await connection.query<DepthRow>(readTotal, [bound]))
}

function toDepth([row]: readonly DepthRow[]): QueueDepth {
  const { waiting = 0, due = 0, leased = 0, oldest = null } = row ?? {}
  return { waiting, due, leased, ...(due > 0 && oldest !== null && { oldestDueAt: oldest }) }
}
