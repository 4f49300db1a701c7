import type { Statement } from '../connection/statement.js'

export interface OfferRow {
  readonly n: number
  /** The message offered; null if the node must take the token and repeat the claim. */
  readonly id: string | null
  readonly was_holder: string | null
  readonly was_until: number | null
  readonly was_claim: number | null
  readonly was_last_holder: string | null
  /** When the message became available; null if the phone held it. */
  readonly available_at: number | null
  /** The lease's number in a batch. */
  readonly claim: number | null
  readonly blocked: boolean
  /** The message's version and document once it is leased; null if it is not. */
  readonly version: number | null
  readonly doc: object | null
  /** The number with which a node took the token last; null if there is no such token. */
  readonly turn: number | null
}

const listed = (alias: string) => `exists (select from do_not_text d
    where d.scope in (${alias}.account, '*') and d.number = ${alias}.number)`

/**
 * Takes tokens for the claims of one node. Parameters: identifiers, and a number that no other
 * statement has used. It waits for the claims of another node, and later ones of that node fail.
 */
export const takeTokens: Statement = {
  name: 'take_tokens',
  text: `
update token t set turn = $2
from (select id from token where id = any($1::text[]) order by id for no key update) o
where t.id = o.id`,
}

/**
 * Claims one message for each of a group of phones: the one that it holds, else the one that has
 * been due longest. `turn` is the number with which the node took the token. If another node has
 * taken it since, the claim does nothing; repeated after {@link takeTokens}, it sees the leases
 * that the other node began. A lock of the row is enough for that: a change in each claim would
 * leave earlier rows, which each claim passes while a long transaction keeps them. For the same
 * reason only leases that end after `live` are looked for.
 */
export const claimMessages: Statement = {
  name: 'claim_messages',
  text: `
with r as materialized (
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[],
      $7::bigint[], $8::bigint[])
    with ordinality as r(account, holder, now, until, turn, mark, live, n)
),
locked as materialized (
  select r.n from r join token t on t.id = r.holder where t.turn = r.turn for no key update of t
),
q as materialized (
  select * from r where r.turn is null or exists (select from locked where locked.n = r.n)
),
held as materialized (
  select q.n, h.* from q cross join lateral (
    select m.id, m.number, m.version, m.holder, m.lease_until, m.lease_claim, m.last_holder
    from message m
    where m.account = q.account and m.holder = q.holder and m.lease_until > q.live
      and m.available_at is not null and m.due_at <= q.now
    order by m.lease_until desc, m.id desc limit 1
  ) h
),
free as materialized (
  select account, count(*) as count, max(now) as now, min(mark) as mark,
    array_agg(n::int order by n) as places
  from q where not exists (select from held where held.n = q.n) group by account
),
due as materialized (
  select d.*, free.places, row_number() over (partition by free.account
    order by d.available_at, d.id) as k
  from free
  cross join lateral (
    select m.id, m.number, m.version, m.holder, m.lease_until, m.lease_claim, m.last_holder,
      m.available_at
    from message m where m.account = free.account and m.available_at between free.mark and free.now
    order by m.available_at, m.id limit free.count for update skip locked
  ) d
),
chosen as (
  select n, id, number, version, holder, lease_until, lease_claim, last_holder,
    null::bigint as available_at from held
  union all
  select places[k], id, number, version, holder, lease_until, lease_claim, last_holder,
    available_at
  from due
),
offered as materialized (
  select o.*, ${listed('o')} as blocked
  from (
    select q.n, q.account, q.holder, q.until, c.id, c.number, c.version, c.holder as was_holder,
      c.lease_until as was_until, c.lease_claim as was_claim, c.last_holder as was_last_holder,
      c.available_at
    from chosen c join q on q.n = c.n and (c.available_at is null or c.available_at <= q.now)
  ) o
),
leased as (
  update message m
  set version = m.version + 1, op = $6::uuid, holder = o.holder, last_holder = o.holder,
    lease_until = o.until, lease_claim = null, available_at = greatest(m.due_at, o.until)
  from offered o
  where m.account = o.account and m.id = o.id and m.version = o.version and not o.blocked
  returning o.n, m.version, m.doc
)
select r.n, o.id, o.was_holder, o.was_until, o.was_claim,
  o.was_last_holder, o.available_at, o.blocked,
  leased.version, leased.doc, null::bigint as claim,
  case when o.id is null then (select t.turn from token t where t.id = r.holder) end as turn
from r left join offered o on o.n = r.n left join leased on leased.n = r.n
where o.id is not null or not exists (select from q where q.n = r.n)`,
}

/**
 * Claims batches of messages as {@link claimMessages} claims one: those of the phone's leases that
 * it does not know, in the order of their numbers, then those that are due, with new numbers. The
 * results are the rows of the update: a join with the offers would compare each with each.
 */
export const claimBatches: Statement = {
  name: 'claim_batches',
  text: `
with r as materialized (
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[],
      $7::bigint[], $8::bigint[], $9::bigint[])
    with ordinality as r(account, holder, now, until, turn, mark, wanted, since, n)
),
locked as materialized (
  select r.n, coalesce(t.claims, 0) as claims from r join token t on t.id = r.holder
  where t.turn = r.turn for no key update of t
),
q as materialized (
  select r.*, locked.claims, case when r.since > locked.claims then 0 else r.since end as after
  from r join locked on locked.n = r.n
),
held as materialized (
  select q.n, h.*, row_number() over (partition by q.n
    order by h.lease_claim nulls last, h.lease_until, h.id) as place
  from q cross join lateral (
    select m.id, m.number, m.version, m.holder, m.lease_until, m.lease_claim, m.last_holder
    from message m
    where m.account = q.account and m.holder = q.holder and m.lease_until > q.now
      and m.available_at is not null and m.due_at <= q.now
      and (m.lease_claim is null or m.lease_claim > q.after)
    order by m.lease_claim nulls last, m.lease_until, m.id limit q.wanted
  ) h
),
room as (
  select q.n, q.account, q.now, q.mark,
    q.wanted - (select count(*) from held where held.n = q.n) as count
  from q
),
free as materialized (
  select n, account, now, mark, count,
    sum(count) over (partition by account order by n) - count as before
  from room where count > 0
),
due as materialized (
  select a.account, d.*, row_number() over (partition by a.account
    order by d.available_at, d.id) as k
  from (
    select account, sum(count) as count, max(now) as now, min(mark) as mark
    from free group by account
  ) a
  cross join lateral (
    select m.id, m.number, m.version, m.holder, m.lease_until, m.lease_claim, m.last_holder,
      m.available_at
    from message m where m.account = a.account and m.available_at between a.mark and a.now
    order by m.available_at, m.id limit a.count for update skip locked
  ) d
),
chosen as (
  select n, id, number, version, holder, lease_until, lease_claim, last_holder,
    null::bigint as available_at, lease_claim as claim, 0 as part, place from held
  union all
  select free.n, due.id, due.number, due.version, due.holder, due.lease_until, due.lease_claim,
    due.last_holder, due.available_at, null, 1, due.k
  from free join due on due.account = free.account
    and due.k > free.before and due.k <= free.before + free.count
  where due.available_at <= free.now
),
numbered as (
  select *, row_number() over (partition by n, claim is null order by part, place) as added
  from chosen
),
offered as materialized (
  select o.*, ${listed('o')} as blocked
  from (
    select q.n, q.account, q.holder, q.until, c.id, c.number, c.version, c.holder as was_holder,
      c.lease_until as was_until, c.lease_claim as was_claim, c.last_holder as was_last_holder,
      c.available_at, coalesce(c.claim, q.claims + c.added) as claim, c.part, c.place
    from numbered c join q on q.n = c.n
  ) o
),
leased as (
  update message m
  set version = m.version + 1, op = $6::uuid, holder = o.holder, last_holder = o.holder,
    lease_until = o.until, lease_claim = o.claim, available_at = greatest(m.due_at, o.until)
  from offered o
  where m.account = o.account and m.id = o.id and m.version = o.version and not o.blocked
  returning o.*, m.version as leased_version, m.doc
),
numbers as (
  update token t set claims = o.claim
  from q join (select n, max(claim) as claim from offered group by n) o on o.n = q.n
  where t.id = q.holder and o.claim > q.claims
),
results as (
  select * from leased
  union all
  select o.*, null, null from offered o where o.id not in (select id from leased)
)
select r.n, o.id, o.was_holder, o.was_until, o.was_claim,
  o.was_last_holder, o.available_at, o.blocked,
  o.leased_version as version, o.doc, o.claim,
  case when o.id is null then (select t.turn from token t where t.id = r.holder) end as turn
from r left join results o on o.n = r.n
where o.id is not null or not exists (select from q where q.n = r.n)
order by r.n, o.part, o.place`,
}
