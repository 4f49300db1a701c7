// Events in PostgreSQL: `append-events` is the part of a statement that records them with the
// change that caused them; this file reads them; `old-events` deletes them.
//
// Each account numbers its events by itself. A page of all names merges the orders of the names,
// because the table has only one index: account, name, number.
import { type EventName, eventNames, type RelayEvent } from '../../../../domain/webhook/event.js'
import type { EventPage, EventQuery, EventStore } from '../../event-store.js'
import type { Database } from '../connection/database.js'
import type { Connection, Statement } from '../connection/statement.js'
import { formatNumbers, formatTexts } from '../groups/array-literal.js'
import { Grouper } from '../groups/grouper.js'
import { toEventCode, toEventName } from './event-code.js'
import { deleteOldEvents, type EventReader } from './old-events.js'

interface EventRow {
  readonly name: number
  readonly seq: number
  readonly object: string
  readonly at: number
}

interface PageRow extends EventRow {
  readonly last: number | null
  readonly removed: number | null
}

interface ListQuery {
  readonly account: string
  readonly event: EventName
  readonly seq: number
  readonly count: number
}

/** Events after a number, or the last ones if the number is negative. */
const readPage: Statement = {
  name: 'read_event_page',
  text: `
with found as (
  (select e.* from unnest($2::smallint[]) as n(name) cross join lateral (
      select e.name, e.seq, e.object, e.at from event e
      where e.account = $1 and e.name = n.name and e.seq > $3::bigint
      order by e.seq limit $4::bigint
    ) e where $3::bigint >= 0 order by e.seq limit $4::bigint)
  union all
  (select e.* from unnest($2::smallint[]) as n(name) cross join lateral (
      select e.name, e.seq, e.object, e.at from event e
      where e.account = $1 and e.name = n.name
      order by e.seq desc limit -least($3::bigint, 0)
    ) e where $3::bigint < 0 order by e.seq desc limit -least($3::bigint, 0))
)
select (select seq from account_clock where account = $1) as last,
  (select max(seq) from purged_event where account = $1 and name = any($2::smallint[])) as removed,
  found.*
from (select 1) as one left join found on true
order by found.seq limit greatest($4::bigint, 1)`,
}

const listAfter: Statement = {
  name: 'list_events_after',
  text: `
select r.n, e.name, e.seq, e.object, e.at
from unnest($1::text[], $2::smallint[], $3::bigint[], $4::bigint[])
  with ordinality as r(account, name, seq, count, n)
cross join lateral (
  select e.name, e.seq, e.object, e.at from event e
  where e.account = r.account and e.name = r.name and e.seq > r.seq
  order by e.seq limit r.count
) e
order by r.n, e.seq`,
}

const findBefore: Statement = {
  name: 'find_event_before',
  text: `
select name, seq, object, at from event
where account = $1 and name = $2 and seq < $3 order by seq desc limit 1`,
}

export class PostgresEvents implements EventStore {
  readonly #reader: EventReader
  readonly #lists: Grouper<ListQuery, RelayEvent[]>

  constructor(database: Pick<Database, 'retry'>, connection: Connection) {
    this.#reader = {
      read: async <Row>(statement: Statement, values: readonly unknown[]) =>
        await database.retry(async () => await connection.query<Row>(statement, values)),
    }
    this.#lists = new Grouper({ send: async queries => await this.#listAll(queries) })
  }

  async getPage({ account, after, count, names = eventNames }: EventQuery): Promise<EventPage> {
    const values = [account, formatNumbers(names.map(toEventCode)), after, count]
    const rows = await this.#reader.read<PageRow>(readPage, values)
    return {
      events: rows.filter(({ seq }) => seq !== null && count > 0).map(row => toEvent(account, row)),
      lastSeq: rows[0]?.last ?? 0,
      lastRemovedSeq: rows[0]?.removed ?? 0,
    }
  }

  async listAfter(
    account: string,
    event: EventName,
    seq: number,
    count: number,
  ): Promise<RelayEvent[]> {
    return await this.#lists.add({ account, event, seq, count })
  }

  async findBefore(
    account: string,
    event: EventName,
    seq: number,
  ): Promise<RelayEvent | undefined> {
    const values = [account, toEventCode(event), seq]
    const [row] = await this.#reader.read<EventRow>(findBefore, values)
    return row && toEvent(account, row)
  }

  purge(before: number, maxPerName: number): AsyncGenerator<number> {
    return deleteOldEvents(this.#reader, before, maxPerName)
  }

  async #listAll(queries: readonly ListQuery[]): Promise<RelayEvent[][]> {
    const values = [
      formatTexts(queries.map(({ account }) => account)),
      formatNumbers(queries.map(({ event }) => toEventCode(event))),
      formatNumbers(queries.map(({ seq }) => seq)),
      formatNumbers(queries.map(({ count }) => count)),
    ]
    const rows = await this.#reader.read<EventRow & { readonly n: number }>(listAfter, values)
    const lists: RelayEvent[][] = queries.map(() => [])
    for (const row of rows) {
      lists[row.n - 1]?.push(toEvent(queries[row.n - 1]?.account ?? '', row))
    }
    return lists
  }
}

function toEvent(account: string, { name, seq, object, at }: EventRow): RelayEvent {
  return { seq, account, event: toEventName(name), message: object, at }
}
