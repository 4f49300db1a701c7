import type { Statement } from '../connection/statement.js'

export interface EventReader {
  read<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

interface EventList {
  readonly account: string
  readonly name: number
  readonly first: number
  readonly first_at: number
  readonly last: number
  /** The number that every subscription to them has passed; null without subscriptions. */
  readonly passed: number | null
}

const listsPerStatement = 200
const eventsPerCommit = 500

/** The lists after a position: each is found with one look at the index. */
const findLists: Statement = {
  name: 'find_event_lists',
  text: `
with recursive list(account, name, place) as (
  (select account, name, 1 from event where (account, name) > ($1::text, $2::smallint)
    order by account, name limit 1)
  union all
  select next.account, next.name, list.place + 1 from list cross join lateral (
    select e.account, e.name from event e where (e.account, e.name) > (list.account, list.name)
    order by e.account, e.name limit 1
  ) next where list.place < ${listsPerStatement}
)
select list.account, list.name, first.seq as first, first.at as first_at, last.seq as last,
  (select min(s.cursor) from subscription s
    where s.account = list.account and s.name = list.name) as passed
from list
cross join lateral (select e.seq, e.at from event e
  where e.account = list.account and e.name = list.name order by e.seq limit 1) first
cross join lateral (select e.seq from event e
  where e.account = list.account and e.name = list.name order by e.seq desc limit 1) last
order by list.place`,
}

/** Deletes the beginning of a list: what is old, or above the number to retain. */
const deleteFirst: Statement = {
  name: 'delete_first_events',
  text: `
with first as (
  select seq, bool_and(at < $4 or seq <= $5) over (order by seq) as is_old
  from (select seq, at from event where account = $1 and name = $2 and seq <= $3
    order by seq limit ${eventsPerCommit}) as present
),
deleted as (
  delete from event e using first
  where e.account = $1 and e.name = $2 and e.seq = first.seq and first.is_old
  returning e.seq
),
noted as (
  insert into purged_event as present (account, name, seq)
  select $1, $2, max(seq) from deleted having count(*) > 0
  on conflict (account, name) do update set seq = greatest(present.seq, excluded.seq)
)
select count(*) as count from deleted`,
}

const findExcess: Statement = {
  name: 'find_excess_event',
  text: `
select seq from event where account = $1 and name = $2 order by seq desc offset $3 limit 1`,
}

export async function* deleteOldEvents(
  reader: EventReader,
  before: number,
  maxPerName: number,
): AsyncGenerator<number> {
  let position: readonly [string, number] = ['', 0]
  for (;;) {
    const lists = await reader.read<EventList>(findLists, position)
    for (const list of lists) yield* deleteFrom(reader, list, before, maxPerName)
    const last = lists.at(-1)
    if (last === undefined || lists.length < listsPerStatement) return
    position = [last.account, last.name]
  }
}

async function* deleteFrom(
  reader: EventReader,
  { account, name, first, first_at: firstAt, last, passed }: EventList,
  before: number,
  maxPerName: number,
): AsyncGenerator<number> {
  // Numbers have gaps for other names, so there are at most as many events.
  const mayExceed = last - first + 1 > maxPerName
  if ((passed !== null && passed < first) || (firstAt >= before && !mayExceed)) return
  const [excess] = mayExceed
    ? await reader.read<{ seq: number }>(findExcess, [account, name, maxPerName])
    : []
  const values = [account, name, passed ?? last, before, excess?.seq ?? 0]
  for (;;) {
    const [row] = await reader.read<{ count: number }>(deleteFirst, values)
    const count = row?.count ?? 0
    if (count > 0) yield count
    if (count < eventsPerCommit) return
  }
}
