import {
  type CountedGroup,
  type CountName,
  type Counts,
  createEmptyCounts,
  getQuarterHour,
  parseGroup,
  quarterHour,
} from '../../../../domain/message/message-counts.js'
import type { GroupQuery, StatisticsStore, TimeSpans } from '../../statistics-store.js'
import type { Statement } from '../connection/statement.js'
import { countedSpans } from '../message-rows/group-count.js'
import { deleteAll, type RecordContext, runStatement } from './record-context.js'

const deletedPerStatement = 1000

interface SumRow {
  readonly span: number
  readonly name: CountName
  readonly count: number
}

const sumCounts: Statement = {
  name: 'message-count-sum',
  text: `
    select (quarter - $2) / $3::bigint as span, name, sum(count)::bigint as count
    from message_count
    where account = $1 and quarter >= greatest($2::bigint, $5::bigint)
      and quarter < $2 + $3 * $4::bigint
    group by span, name`,
}

const deleteCounts: Statement = {
  name: 'message-count-delete',
  text: `
    delete from message_count where (account, quarter, name) in (
      select account, quarter, name from message_count where quarter < $1 limit $2)
    returning 1`,
}

/** Adds up the rows of ranges of quarters; those of a range with a negative sign are taken away. */
const sumGroupCounts: Statement = {
  name: 'message-group-sum',
  text: `
    select g.name, sum(g.count * r.sign)::bigint as count
    from unnest($2::smallint[], $3::bigint[], $4::bigint[], $5::int[])
      as r (span, since, until, sign)
    cross join lateral (
      select name, sum(count)::bigint as count from message_group_count
      where account = $1 and span = r.span and quarter >= r.since and quarter < r.until
      group by name
    ) as g
    group by g.name having sum(g.count * r.sign) > 0`,
}

const deleteEmptyGroups: Statement = {
  name: 'message-group-delete',
  text: `
    delete from message_group_count where count = 0 and (account, span, quarter, name) in (
      select account, span, quarter, name from message_group_count where count = 0 limit $1)
    returning 1`,
}

interface GroupRow {
  readonly name: string
  readonly count: number
}

interface SpanRange {
  readonly span: number
  /** Numbers of quarters of an hour; `until` is exclusive. */
  readonly since: number
  readonly until: number
  readonly sign: number
}

/**
 * The statistics in PostgreSQL. The statements that write messages count them in `message_count`
 * and `message_group_count` (`message-rows/write-statement`), so that a page of statistics reads no
 * messages.
 */
export class PostgresStatistics implements StatisticsStore {
  readonly #context: RecordContext
  #since = 0

  constructor(context: RecordContext) {
    this.#context = context
  }

  async getCounts(account: string, { from, length, count }: TimeSpans): Promise<Counts[]> {
    const values = [account, getQuarterHour(from), length / quarterHour, count, this.#since]
    const rows = await runStatement<SumRow>(this.#context, sumCounts, values)
    const spans = Array.from({ length: count }, createEmptyCounts)
    for (const row of rows) {
      const span = spans[row.span]
      if (span !== undefined) span[row.name] = Math.max(0, row.count)
    }
    return spans
  }

  async countGroups({ account, since, until }: GroupQuery): Promise<CountedGroup[]> {
    const ranges = splitPeriod(getQuarterHour(since), getQuarterHour(until))
    const columns = (['span', 'since', 'until', 'sign'] as const).map(name =>
      ranges.map(range => range[name]),
    )
    const values = [account, ...columns]
    const rows = await runStatement<GroupRow>(this.#context, sumGroupCounts, values)
    return rows.map(({ name, count }) => ({ ...parseGroup(name), count }))
  }

  async deleteBefore(before: number): Promise<void> {
    this.#since = getQuarterHour(before)
    await deleteAll(this.#context, deleteCounts, [this.#since], deletedPerStatement)
    await deleteAll(this.#context, deleteEmptyGroups, [], deletedPerStatement)
  }
}

/** The days next to a period, and the quarters by which it begins and ends before or after them. */
function splitPeriod(since: number, until: number): SpanRange[] {
  const { day, quarter } = countedSpans
  const [first, last] = [since, until].map(at => Math.round(at / day) * day) as [number, number]
  return [
    { span: day, since: first, until: last, sign: 1 },
    { span: quarter, since, until: first, sign: 1 },
    { span: quarter, since: first, until: since, sign: -1 },
    { span: quarter, since: last, until, sign: 1 },
    { span: quarter, since: until, until: last, sign: -1 },
  ].filter(range => range.since < range.until)
}
