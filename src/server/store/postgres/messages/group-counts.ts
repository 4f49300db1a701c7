import type { Status } from '../../../../domain/message/message.js'
import type { Grouping } from '../../../../domain/message/message-counts.js'
import { callingCodeLength } from '../../../../domain/sms/calling-code.js'
import type { CountedGroups, GroupQuery } from '../../message-store.js'
import type { Connection, Statement } from '../connection/statement.js'
import { toIdPrefix } from './message-pages.js'

/** Milliseconds by which the times of identifiers may differ from those of their messages. */
const tolerance = 60 * 60 * 1000

/**
 * A field of the document as JSON has it, up to `end`; empty without the field. The operators of
 * PostgreSQL cannot read a document with U+0000, and patterns take three times as long. A name with
 * its quotes is in no text: there, its quotes have a backslash.
 */
const readField = (name: string, end: string): string =>
  `split_part(split_part(m.doc::text, '"${name}":', 2), '${end}', 1)`

const keys = {
  phone: `coalesce(substring(split_part(m.doc::text, '"phone":', 2)
    from '^"((?:[^"\\\\]|\\\\.)*)"'), '')`,
  source: `trim('"' from ${readField('source', ',')})`,
  prefix: `case when m.number like '+%' then left(m.number, ${callingCodeLength}) else '' end`,
  state: 'm.status::text',
} as const satisfies Record<Grouping, string>

/** The messages are the last ones of a range of the primary key, so the cost has a limit. */
function buildStatement(by: Grouping): Statement {
  return {
    name: `count_messages_by_${by}`,
    text: `
select key, status, delivery, count(*) filter (where is_counted) as count, count(*) as seen
from (
  select ${keys[by]} as key, m.status, trim('"' from ${readField('delivery', ' ')}) as delivery,
    ${readField('createdAt', ',')}::bigint between $4 and $5::bigint - 1 as is_counted
  from message m where m.account = $1 and m.id >= $2 and m.id < $3
  order by m.id desc limit $6
) as period
group by key, status, delivery`,
  }
}

interface GroupRow {
  readonly key: string
  readonly status: Status
  readonly delivery: string
  readonly count: number
  readonly seen: number
}

/** Counts the messages of a period by groups, with one statement. */
export async function countGroups(
  connection: Connection,
  { account, by, since, until, max }: GroupQuery,
): Promise<CountedGroups> {
  const range = [toIdPrefix(since - tolerance), toIdPrefix(until + tolerance)]
  const values = [account, ...range, since, until, max]
  const rows = await connection.query<GroupRow>(buildStatement(by), values)
  const seen = rows.reduce((sum, row) => sum + row.seen, 0)
  return {
    groups: rows
      .filter(({ count }) => count > 0)
      .map(({ key, status, delivery, count }) => ({
        key: by === 'phone' ? (JSON.parse(`"${key}"`) as string) : key,
        status,
        delivery: delivery === '' ? undefined : delivery,
        count,
      })),
    isComplete: seen < max,
  }
}
