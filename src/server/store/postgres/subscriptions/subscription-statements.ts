import type { Statement } from '../connection/statement.js'
import { buildEventAppend } from '../events/append-events.js'

/** Events that are read with a subscription: as many as most decisions on it need. */
const eventsAfterCursor = 10

const columns = 's.id, s.account, s.version, s.name, s.cursor, s.doc'

export const readSubscription: Statement = {
  name: 'subscription-read',
  text: `select ${columns} from subscription s where id = $1`,
}

export const listSubscriptions: Statement = {
  name: 'subscription-list',
  text: `select ${columns} from subscription s order by created_at, id`,
}

export const listSubscriptionsOf: Statement = {
  name: 'subscription-list-of',
  text: `select ${columns} from subscription s where account = $1 order by created_at, id`,
}

/** Reads a subscription with the first events after its cursor. */
export const readForChange: Statement = {
  name: 'subscription-read-for-change',
  text: `
    select ${columns}, (
      select json_agg(json_build_object('seq', seq, 'object', object, 'at', at)) from (
        select seq, object, at from event
        where event.account = s.account and event.name = s.name and seq > s.cursor
        order by seq limit ${eventsAfterCursor}) e) as events
    from subscription s where id = $1`,
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
export const insertSubscription: Statement = {
  name: 'subscription-insert',
  text: `
    with inserted as (
      insert into subscription (id, op, account, place, name, created_at, doc, version, cursor)
      values ($1, $2, $3, $4, $5, $6, $7, 1,
        coalesce((select seq from account_clock where account = $3), 0))
      on conflict do nothing returning cursor)
    select cursor from inserted
    union all select cursor from subscription where id = $1 and op = $2`,
}

/**
 * Parameters: subscription, operation, version before, name, cursor, document; bucket and epoch of
 * the worker's lease, null for a change by a person; the code of an event to record for the other
 * subscriptions of the account to it, or null; its time.
 */
export const updateSubscription: Statement = {
  name: 'subscription-update',
  text: `
    with lease as (
      select $7::smallint is null or exists (
        select from subscription_bucket where bucket = $7 and epoch = $8::bigint) as is_held),
    updated as (
      update subscription set op = $2, version = version + 1, name = $4, cursor = $5, doc = $6
      where id = $1 and version = $3 and (select is_held from lease)
      returning id, account),
    ${buildEventAppend(
      `select updated.account, updated.id as object, $9::smallint as name, 1 as place
      from updated where exists (
        select from subscription other where other.account = updated.account
          and other.name = $9 and other.id <> updated.id)`,
      '$10::bigint',
    )}
    select is_held as "isHeld",
      exists (select from updated)
        or exists (select from subscription where id = $1 and op = $2) as "isWritten",
      exists (
        select from subscription s join subscription other
          on other.account = s.account and other.name = $9 and other.id <> s.id
        where s.id = $1) as "hasEvent"
    from lease`,
}

export const deleteSubscription: Statement = {
  name: 'subscription-delete',
  text: 'delete from subscription where id = $1 returning id',
}
