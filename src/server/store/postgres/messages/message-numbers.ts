import type { Status } from '../../../../domain/message/message.js'
import type { StatusCounts } from '../../../../domain/message/message-counts.js'
import { messageFilters } from '../../../../domain/message/message-filter.js'
import type { QueueDepth } from '../../../../domain/message/queue-depth.js'
import type { Connection, Statement } from '../connection/statement.js'
import { countedSpans } from '../message-rows/group-count.js'

interface StatusCountRow {
  readonly status: Status
  readonly count: number
}

/** The name of a group begins with the state of its messages. */
const countByStatus: Statement = {
  name: 'count_message_statuses',
  text: `
select left(name, 1) as status, sum(count)::bigint as count from message_group_count
where account = $1 and span = ${countedSpans.day} group by left(name, 1)`,
}

export async function countStatuses(
  connection: Connection,
  account: string,
): Promise<StatusCounts> {
  const rows = await connection.query<StatusCountRow>(countByStatus, [account])
  const counts = new Map(rows.map(({ status, count }) => [status, count]))
  return Object.fromEntries(messageFilters.all.map(each => [each, counts.get(each) ?? 0])) as never
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
  (select coalesce(sum(count), 0)::bigint from message_group_count
    where account = $1 and span = ${countedSpans.day} and left(name, 1) in ('N', 'E')) as waiting,
  (select count(*) from (select from message where account = $1 and available_at < $2
    limit $3) as counted) as due,
  (select count(*) from message where account = $1 and holder is not null
    and available_at is not null and lease_until >= $2) as leased,
  (select due_at from message where account = $1 and available_at is not null
    order by available_at, id limit 1) as oldest`,
}

/** Counts the waiting messages of an account, exact to the second, and up to `most` due ones. */
export async function readQueueDepth(
  connection: Connection,
  account: string,
  now: number,
  most?: number,
): Promise<QueueDepth> {
  const bound = (Math.floor(now / 1000) + 1) * 1000
  return toDepth(await connection.query<DepthRow>(readDepth, [account, bound, most ?? null]))
}

const readTotal: Statement = {
  name: 'read_total_depth',
  text: `
select count(*) as waiting, count(*) filter (where available_at < $1) as due,
  count(*) filter (where holder is not null and lease_until >= $1) as leased,
  min(due_at) filter (where available_at < $1) as oldest
from message where available_at is not null`,
}

export async function readTotalDepth(connection: Connection, now: number): Promise<QueueDepth> {
  const bound = (Math.floor(now / 1000) + 1) * 1000
  return toDepth(await connection.query<DepthRow>(readTotal, [bound]))
}

function toDepth([row]: readonly DepthRow[]): QueueDepth {
  const { waiting = 0, due = 0, leased = 0, oldest = null } = row ?? {}
  return { waiting, due, leased, ...(due > 0 && oldest !== null && { oldestDueAt: oldest }) }
}
