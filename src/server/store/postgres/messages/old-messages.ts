import { eventDelay } from '../../../../domain/message/message-retention.js'
import type { Retention } from '../../message-store.js'
import type { Connection, Statement } from '../connection/statement.js'
import { type MessageRow, messageColumns, rowToMessage } from '../message-rows/message-row.js'
import type { MessageWrites } from '../message-rows/message-writes.js'

interface OldRow extends MessageRow {
  readonly status_at: number
}

const batchSize = 250

/** Old messages after a position, but none that an undelivered event needs. */
const listOld: Statement = {
  name: 'list_old_messages',
  text: `
with undelivered as (
  select s.account, min(e.at) as at
  from subscription s cross join lateral (
    select at from event e where e.account = s.account and e.name = s.name and e.seq > s.cursor
    order by e.seq limit 1
  ) e
  group by s.account
)
select ${messageColumns}, m.status_at
from message m left join undelivered u on u.account = m.account
where m.status in ('S', 'F', 'B', 'D') and m.status_at < $1
  and (m.status_at < $2 or u.at is null or m.status_at < u.at - ${eventDelay})
  and (m.status_at, m.account, m.id) > ($3::bigint, $4::text, $5::text)
order by m.status_at, m.account, m.id limit ${batchSize}`,
}

export async function* deleteOldMessages(
  connection: Connection,
  writes: MessageWrites,
  { before, always }: Retention,
): AsyncGenerator<number> {
  let position: readonly [number, string, string] = [Number.MIN_SAFE_INTEGER, '', '']
  for (;;) {
    const values = [before, always, ...position]
    const rows = await connection.query<OldRow>(listOld, values)
    const results = await Promise.all(
      rows.map(row => {
        const { account, id, version: was } = row
        const before = rowToMessage(row)
        return writes.add({ account, id, was, message: null, before, events: [], guards: 0 })
      }),
    )
    yield results.filter(({ isWritten }) => isWritten).length
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    position = [last.status_at, last.account, last.id]
  }
}
