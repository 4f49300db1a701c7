import { automaticReplyPeriod } from '../../../../domain/phone/automatic-reply.js'
import type { Statement } from '../connection/statement.js'
import { toEventCode } from '../events/event-code.js'
import { buildGroupCount } from '../message-rows/group-count.js'

/** Automatic replies to a number that a decision looks at: no rule counts more of them. */
const maxReplies = 10

export const readReceived: Statement = {
  name: 'received-read',
  text: 'select doc, event from received_text where id = $1',
}

/** As `isNotification`. */
const isNotification = `
  (coalesce(doc ->> 'kind', '') = 'mms' and doc ->> 'text' = '' and doc -> 'media' is null)`

/** Parameters: account, before, count, whether notifications of MMS are listed. */
export const listReceived: Statement = {
  name: 'received-list',
  text: `
    select doc, event from received_text
    where account = $1 and ($2::text is null or id < $2) and ($4 or not ${isNotification})
    order by id desc limit $3`,
}

/** 4 is the number of the sender. */
export const listReceivedFrom: Statement = {
  name: 'received-list-from',
  text: `
    select doc, event from received_text
    where account = $1 and number = $4 and ($2::text is null or id < $2)
    order by id desc limit $3`,
}

/**
 * Reads what the decision on a text needs. Parameters: account, number, identifier and idempotency
 * key of the text, its time.
 */
export const readReceivedFacts: Statement = {
  name: 'received-facts',
  text: `
    select
      (select doc from do_not_text where scope = $1 and number = $2) as listed,
      exists (select from do_not_text where scope = '*' and number = $2) as "isListedForAll",
      (select json_build_object('doc', doc, 'event', event) from received_text
        where id = $3 or (account = $1 and once_key = $4) limit 1) as stored,
      array(select created_at from received_text
        where account = $1 and number = $2 and reply is not null
          and created_at > $5::bigint - ${automaticReplyPeriod}
        order by reply desc limit ${maxReplies}) as replies,
      (select coalesce(max(reply), 0) from received_text
        where account = $1 and number = $2 and reply is not null) as "lastReply"`,
}

/**
 * Stores a text with its events, its effect on the Do Not Text list and its reply. Nothing happens
 * if the facts of the decision are not true any more. If the same key, number of a reply or entry
 * is stored meanwhile, the statement fails with a unique violation.
 *
 * Parameters: 1 account, 2 number, 3 text, 4 key, 5 time, 6 whether the account's list has the
 * number, 7 whether the list of the relay has it; 8 whether the text is an event, 9 number of the
 * reply, 10 document; 11 list key and 12 document of an entry to add, 13 operation; 14 whether to
 * remove the entry; 15 identifier, 16 document and 17 due time of the reply, 18 its quarter and 19
 * its group in statistics.
 */
export const addReceived: Statement = {
  name: 'received-add',
  text: `
    with allowed as (
      select where $6 = exists (select from do_not_text where scope = $1 and number = $2)
        and $7 = exists (select from do_not_text where scope = '*' and number = $2)
        and not exists (select from received_text where id = $3)),
    added as (
      insert into do_not_text (scope, number, list_key, op, doc)
      select $1, $2, $11, $13, $12 from allowed where $12::json is not null returning number),
    removed as (
      delete from do_not_text using allowed where $14 and scope = $1 and number = $2
      returning number),
    recorded as materialized (
      select object, name, row_number() over (order by place) as nth, count(*) over () as total
      from (
        select $3::text as object, ${toEventCode('message.received')} as name, 1 as place
          from allowed where $8
        union all select number, ${toEventCode('number.blocked')}, 2 from added
        union all select number, ${toEventCode('number.unblocked')}, 3 from removed
        union all select $15::text, ${toEventCode('message.create')}, 4
          from allowed where $15::text is not null
      ) as source),
    clock as (
      insert into account_clock as present (account, seq)
      select $1, max(total) from recorded having count(*) > 0
      on conflict (account) do update set seq = present.seq + excluded.seq
      returning seq),
    appended as (
      insert into event (account, name, seq, object, at)
      select $1, name, seq - total + nth, object, $5 from recorded, clock
      returning name, seq),
    created as (
      insert into message (account, id, version, op, status, due_at, available_at, status_at,
        number, doc)
      select $1, $15, 1, $13, 'N', $17, $17, $5, $2, $16 from allowed where $15::text is not null),
    counted as (
      insert into message_count as present (account, quarter, name, count)
      select $1, $18, 'created', 1 from allowed, clock where $15::text is not null
      on conflict (account, quarter, name) do update set count = present.count + 1),
    ${buildGroupCount(`
      select $1 as account, $18::bigint as quarter, $19::text as name, 1 as change
      from allowed, clock where $15::text is not null`)}
    insert into received_text (id, account, number, created_at, once_key, event, reply, doc)
    select $3, $1, $2, $5, $4,
      (select seq from appended where name = ${toEventCode('message.received')}), $9, $10
    from allowed
    returning event`,
}

/**
 * Deletes old texts: of each account those before the first one whose event a subscription has not
 * passed.
 */
export const deleteReceived: Statement = {
  name: 'received-delete',
  text: `
    with passed as (
      select account, min(cursor) as cursor from subscription
      where name = ${toEventCode('message.received')} group by account),
    kept as (
      select account, (
        select min(id) from received_text r
        where r.account = passed.account and r.event > passed.cursor) as id
      from passed),
    old as (
      select r.id from received_text r left join kept on kept.account = r.account
      where r.created_at < $1 and (kept.id is null or r.id < kept.id) limit $2)
    delete from received_text using old where received_text.id = old.id returning 1`,
}
