import { shortCodePattern } from '../../../../domain/sms/calling-code.js'
import { countedSpans } from '../message-rows/group-count.js'

/**
 * A field of a message's document as JSON has it, up to `end`; empty without the field. The
 * operators of PostgreSQL cannot read a document with U+0000. A name with its quotes is in no text:
 * there, its quotes have a backslash.
 */
const readField = (name: string, end: string): string =>
  `split_part(split_part(m.doc::text, '"${name}":', 2), '${end}', 1)`

/** What the name of a group (`formatGroup`) has of a message, separated by spaces. */
const nameParts = [
  'm.status::text',
  `case when delivery ~ 'u' then 'undelivered' when delivery ~ 'e' then 'expired'
    when delivery ~ '^d+$' then 'delivered' when delivery = '' then '' else 'pending' end`,
  `trim('"' from ${readField('source', ',')})`,
  `case when m.number like '+%'
    then coalesce(substring(m.number from '${shortCodePattern}'), left(m.number, 4)) else '' end`,
  `coalesce(substring(split_part(m.doc::text, '"phone":', 2)
    from '^"((?:[^"\\\\]|\\\\.)*)"'), '')`,
]

/**
 * The numbers of stored messages by what they have in common. The table also counts those that are
 * there; nobody can write messages meanwhile.
 */
export const groupCountTable = `
-- Stored messages of each group by the time of their creation. The statements that write messages
-- count them here.
create table message_group_count (
  account text collate "C" not null,
  -- Quarters of an hour that are counted together: 1, or the 96 of a day in UTC.
  span smallint not null,
  -- Number of the first of them since the epoch.
  quarter bigint not null,
  -- State, delivery state, source, calling code and phone, with spaces between them.
  name text collate "C" not null,
  count bigint not null,
  primary key (account, span, quarter, name)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

lock table message in share row exclusive mode;
insert into message_group_count (account, span, quarter, name, count)
select account, span, quarter - quarter % span as first, name, sum(count)
from (
  select m.account, floor(${readField('createdAt', ',')}::bigint / 900000)::bigint as quarter,
    concat_ws(' ', ${nameParts.join(', ')}) as name, count(*) as count
  from message m, trim('"' from ${readField('delivery', ' ')}) as delivery
  group by m.account, quarter, name
) as counted, (values ${Object.values(countedSpans).map(span => `(${span})`)}) as s (span)
group by account, span, first, name;
`
