import {
  type CountName,
  type Counts,
  createEmptyCounts,
  getQuarterHour,
  quarterHour,
} from '../../../../domain/message/message-counts.js'
import type { StatisticsStore, TimeSpans } from '../../statistics-store.js'
import type { Statement } from '../connection/statement.js'
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

/**
 * The statistics in PostgreSQL. The statements that write messages count them in `message_count`
 * (`messages/write-statement`), so that a page of statistics reads no messages.
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

  async deleteBefore(before: number): Promise<void> {
    this.#since = getQuarterHour(before)
    await deleteAll(this.#context, deleteCounts, [this.#since], deletedPerStatement)
  }
}
