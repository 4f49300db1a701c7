import { createChange } from '../audit/audited-statement.js'
import type { Statement } from '../connection/statement.js'
import { buildEventAppend } from '../events/append-events.js'

/** Events that are read with a subscription: as many as most decisions on it need. */
const eventsAfterCursor = 10

const columns = 's.id, s.account, s.version, s.name, s.cursor, s.doc'

export const listSubscriptions: Statement = {
  name: 'subscription-list',
  text: `select ${columns} from subscription s order by created_at, id`,
}

export const listSubscriptionsOf: Statement = {
  name: 'subscription-list-of',
  text: `select ${columns} from subscription s where account = $1 order by created_at, id`,
}

export const listAbandoned: Statement = {
  name: 'subscription-abandoned',
  text: `select id from subscription where (doc->'listener'->>'seenAt')::bigint < $1`,
}

/** Reads subscriptions, each with the first events after its cursor. Parameter: identifiers. */
export const readSubscriptions: Statement = {
  name: 'subscription-read',
  text: `
    select ${columns}, (
      select json_agg(json_build_object('seq', seq, 'object', object, 'at', at)) from (
        select seq, object, at from event
        where event.account = s.account and event.name = s.name and seq > s.cursor
        order by seq limit ${eventsAfterCursor}) e) as events
    from subscription s where id = any($1::text[])`,
}

export const findEventAfter: Statement = {
  name: 'subscription-event-after',
  text: `
    select seq, object, at from event where account = $1 and name = $2 and seq > $3
    order by seq limit 1`,
}

export const findEventBefore: Statement = {
  name: 'subscription-event-before',
  text: `
    select seq, object, at from event where account = $1 and name = $2 and seq < $3
    order by seq desc limit 1`,
}

export const readPlaces: Statement = {
  name: 'subscription-places',
  text: 'select place from subscription where account = $1',
}

/**
 * The counter is read in the same snapshot, so that events which commit later have higher numbers.
 */
export const insertSubscription = createChange(
  'subscription-insert',
  append => `
    with inserted as (
      insert into subscription (id, op, account, place, name, created_at, doc, version, cursor)
      values ($1, $2, $3, $4, $5, $6, $7, 1,
        coalesce((select seq from account_clock where account = $3), 0))
      on conflict do nothing returning cursor)${append('exists (select from inserted)')}
    select cursor from inserted
    union all select cursor from subscription where id = $1 and op = $2`,
)

/**
 * Writes subscriptions whose versions are still those of their decisions. Parameters: 1 operation,
 * 2 time; columns of 3 subscriptions, 4 versions before, 5 names, 6 cursors, 7 documents; 8 buckets
 * and 9 epochs of the leases of workers, null for a change by a person; 10 codes of events to
 * record for the other subscriptions of the account to them, or null.
 */
export const writeSubscriptions = createChange(
  'subscription-write',
  append => `
    with r as materialized (
      select r.*,
        bucket is null or exists (
          select from subscription_bucket b where b.bucket = r.bucket and b.epoch = r.epoch)
          as is_held,
        event is not null and exists (
          select from subscription s join subscription other
            on other.account = s.account and other.name = r.event and other.id <> s.id
          where s.id = r.id)
          as has_event
      from unnest($3::text[], $4::bigint[], $5::smallint[], $6::bigint[], $7::json[],
        $8::smallint[], $9::bigint[], $10::smallint[]) with ordinality
        as r (id, was, name, cursor, doc, bucket, epoch, event, n)),
    updated as (
      update subscription s set op = $1, version = s.version + 1, name = r.name,
        cursor = r.cursor, doc = r.doc
      from r where s.id = r.id and s.version = r.was and r.is_held
      returning r.n, s.id, s.account),
    ${buildEventAppend(
      `select u.account, u.id as object, r.event as name, u.n as place
      from updated u join r on r.n = u.n where r.has_event`,
      '$2::bigint',
    )}${append('exists (select from updated)')}
    select is_held as "isHeld", has_event as "hasEvent",
      exists (select from updated u where u.n = r.n)
        or exists (select from subscription s where s.id = r.id and s.op = $1) as "isWritten"
    from r order by n`,
)

/** Parameters: identifier, and the version that is deleted, or null for any. */
export const deleteSubscription = createChange(
  'subscription-delete',
  append => `
    with deleted as (
      delete from subscription where id = $1 and version = coalesce($2::bigint, version)
      returning id)${append('exists (select from deleted)')}
    select id from deleted`,
)

export interface BacklogRow {
  readonly state: 'active' | 'retrying' | 'paused'
  readonly events: number
  readonly oldest: number | null
}

export const readBacklogs: Statement = {
  name: 'read_backlogs',
  text: `
select s.state, count(e.seq) as events, min(e.at) as oldest
from (
  select account, name, cursor, case when doc->'paused' is not null then 'paused'
    when doc->'trying' is not null then 'retrying' else 'active' end as state
  from subscription
) s
left join event e on e.account = s.account and e.name = s.name and e.seq > s.cursor
group by s.state`,
}
