import type { Message, Status } from '../../../../domain/message/message.js'
import { messageFilters } from '../../../../domain/message/message-filter.js'
import type { QueueDepth } from '../../../../domain/message/queue-depth.js'
import { matchesSearch, type SearchWords } from '../../../../domain/message/search-words.js'
import type { FoundMessages, MessageQuery } from '../../message-store.js'
import type { Connection, Statement } from '../connection/statement.js'
import { type MessageRow, messageColumns, rowToMessage } from '../message-rows/message-row.js'

type Order = MessageQuery['order']

const statements = new Map<string, Statement>()
/** Messages of a search in one statement. */
const searchPage = 200

/**
 * The statement of a page of messages with some of the statuses. Each status has its own order in
 * the index, so the page is the beginning of the merged orders.
 */
function getPageStatement(statuses: number | 'all', order: Order): Statement {
  const name = `list_messages_${statuses}_${order}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const sorted = `order by id ${order}`
  const parts = Array.from(
    { length: statuses === 'all' ? 1 : statuses },
    (_, at) => `(select id from message where account = $1
      ${statuses === 'all' ? '' : `and status = $${at + 4}::"char"`}
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

/** Reads a page of an account's messages from the database. */
export async function listMessages(
  connection: Connection,
  { account, statuses, start, count, order }: MessageQuery,
): Promise<Message[]> {
  if (statuses.length === 0) return []
  const isAll = statuses.length === messageFilters.all.length
  const statement = getPageStatement(isAll ? 'all' : statuses.length, order)
  const values: (string | number | Status)[] = [account, start, count]
  if (!isAll) values.push(...statuses)
  const rows = await connection.query<MessageRow>(statement, values)
  return rows.map(rowToMessage)
}

/** Searches the messages of a page in the database, in parts, until `count` are found. */
export async function searchMessages(
  connection: Connection,
  query: MessageQuery,
  words: SearchWords,
  count: number,
): Promise<FoundMessages> {
  const messages: Message[] = []
  let seen = 0
  while (seen < query.count && messages.length < count) {
    const wanted = Math.min(searchPage, query.count - seen)
    const page = { ...query, start: query.start + seen, count: wanted }
    const listed = await listMessages(connection, page)
    for (const message of listed) {
      if (messages.length === count) break
      seen += 1
      if (matchesSearch(words, message)) messages.push(message)
    }
    if (listed.length < wanted) break
  }
  return { messages, seen }
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
