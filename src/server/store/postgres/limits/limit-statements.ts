import type { Statement } from '../connection/statement.js'

export const readLimits: Statement = {
  name: 'read_limits',
  text: `
select l.kind, l.key, l.op, l.doc
from unnest($1::text[], $2::text[]) as r (kind, key)
join limit_state l on l.kind = r.kind and l.key = r.key`,
}

/**
 * Stores, creates or (no document) deletes limits whose rows are as the decision saw them, or as
 * this statement left them when it ran before. Returns the rows that it changed. Rows are locked
 * and created in one order, so that two nodes never wait for each other.
 */
export const writeLimits: Statement = {
  name: 'write_limits',
  text: `
with r as (
  select * from unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[], $5::bigint[], $6::json[])
    as r (kind, key, was, op, until, doc)
), locked as (
  select l.kind, l.key, r.op, r.until, r.doc
  from r join limit_state l on l.kind = r.kind and l.key = r.key
  where r.was is not null and l.op in (r.was, r.op)
  order by l.kind, l.key
  for update of l
), updated as (
  update limit_state l set op = k.op, until = k.until, doc = k.doc
  from locked k
  where l.kind = k.kind and l.key = k.key and k.doc is not null
  returning l.kind, l.key
), deleted as (
  delete from limit_state l using locked k
  where l.kind = k.kind and l.key = k.key and k.doc is null
  returning l.kind, l.key
), created as (
  insert into limit_state (kind, key, op, until, doc)
  select kind, key, op, until, doc from r
  where was is null and doc is not null
  order by kind, key
  -- The statement may run again before its first run is committed.
  on conflict (kind, key) do update set until = excluded.until
    where limit_state.op = excluded.op
  returning kind, key
)
select * from updated union all select * from deleted union all select * from created`,
}

/**
 * Deletes limits that expired at a time, and the oldest of a kind that has more than a number of
 * rows. Leaves out rows that are in use.
 */
export const deleteLimits: Statement = {
  name: 'delete_limits',
  text: `
with kinds as (
  select kind, (array_agg(until order by until desc))[$2::int + 1] as oldest
  from limit_state group by kind
), old as (
  select l.kind, l.key from limit_state l join kinds k on k.kind = l.kind
  where l.until <= greatest($1::bigint, k.oldest)
  limit $3
  for update of l skip locked
)
delete from limit_state l using old
where l.kind = old.kind and l.key = old.key
returning 1`,
}
