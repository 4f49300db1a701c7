import { accountLimits, type RecordLimitName } from '../../../../domain/account-limits.js'
import type { Resource } from '../../../../resources/resource.js'
import { allResources } from '../../../../resources/resources.js'
import { listUniqueKeys } from '../../resource-store.js'

/** SQLSTATE of a row beyond a limit: the message is its name, the detail its number. */
export const limitViolation = 'SM001'

const limitedTables: Readonly<Record<string, RecordLimitName>> = {
  ...{ secret_url: 'secretUrls', contact: 'contacts' },
  ...{ person: 'people', invitation: 'invitations' },
  ...Object.fromEntries(allResources.map(({ name, table = name, limit }) => [table, limit])),
}

/**
 * All tables. Times are milliseconds since the epoch. `doc` is the whole record, or what no column
 * has; its type is json, not jsonb, which cannot store U+0000. `version` guards a row against
 * decisions on an older state, and `op` names the operation that changed it last. Identifiers are
 * compared byte by byte, so that their order does not depend on a locale.
 */
export const tables = `
-- Refuses new rows beyond the limit of their account: its own, or the second argument. Others that
-- create such rows wait, so that of several at once no more than the limit allows succeed.
create function keep_within_limit() returns trigger language plpgsql as $$
declare
  owner text;
  most bigint;
  present bigint;
begin
  if current_setting('smsrelay.import', true) = 'on' then return null; end if;
  for owner in select distinct account from added order by account loop
    perform pg_advisory_xact_lock(hashtextextended(tg_argv[0] || ' ' || owner, 0));
    most := coalesce(
      (select (doc -> 'limits' ->> tg_argv[0])::bigint from account where id = owner),
      tg_argv[1]::bigint);
    execute format(
      'select count(*) from (select from %I where account = $1 limit $2) counted', tg_table_name)
      into present using owner, most + 1;
    if present > most then
      raise exception using errcode = '${limitViolation}', message = tg_argv[0], detail = most;
    end if;
  end loop;
  return null;
end $$;

create table account (
  id text collate "C" primary key,
  version bigint not null,
  op uuid,
  -- In lower case.
  email text collate "C" not null unique,
  secret_key text collate "C" not null unique,
  created_at bigint not null,
  -- True for an account that was created while there was none: of several at once, one is stored.
  is_first boolean unique check (is_first),
  doc json not null
);
create index account_order on account (created_at, id);
-- Conditions and order are those of the statements in postgres-accounts: the planner has no
-- statistics of the conditions, and would sort all accounts.
create index account_owner on account (created_at, id)
  where json_typeof(doc -> 'ownerSince') is distinct from 'null';
create index account_at_most_once on account (created_at, id)
  where doc ->> 'mode' = 'at-most-once';

-- Accounts that are removed, but some of whose records are still there.
create table account_removal (
  account text collate "C" primary key
);

-- The number of the last event of an account. Only this row changes with each event, so it has
-- room for new versions on its own page.
create table account_clock (
  account text collate "C" primary key,
  seq bigint not null default 0
) with (fillfactor = 10);

create table token (
  id text collate "C" primary key,
  account text collate "C" not null,
  kind text not null,
  expires_at bigint not null,
  claims bigint,
  -- A number of the node that took the token last: only that node's claims succeed.
  turn bigint not null default 0,
  person text collate "C",
  -- The sign-in that a User Login token is from.
  login json
) with (fillfactor = 50);
create index token_account on token (account, kind);
create index token_expiry on token (expires_at);

create table message (
  account text collate "C" not null,
  id text collate "C" not null,
  version bigint not null,
  op uuid,
  status "char" not null,
  -- When a phone can get the message; null unless it waits.
  available_at bigint,
  due_at bigint not null,
  status_at bigint not null,
  holder text collate "C",
  lease_until bigint,
  lease_claim bigint,
  last_holder text collate "C",
  number text collate "C" not null,
  doc json not null,
  primary key (account, id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
create index message_due on message (account, available_at, id) where available_at is not null;
create index message_held on message (account, holder, lease_until)
  where holder is not null and available_at is not null;
-- Its first column keeps it from being used in place of the primary key.
create index message_list on message (status, account, id);
create index message_old on message (status_at) where status in ('S', 'F', 'B', 'D');
-- Of a conversation, and of a search by number.
create index message_recipient on message (number, account, id);

create table idempotency_key (
  account text collate "C" not null,
  key text collate "C" not null,
  digest text not null,
  until bigint not null,
  message text collate "C" not null,
  -- The message as it was in the first reply.
  doc json not null,
  primary key (account, key)
);
create index idempotency_key_until on idempotency_key (until);

create table event (
  account text collate "C" not null,
  name smallint not null,
  seq bigint not null,
  object text collate "C" not null,
  at bigint not null,
  primary key (account, name, seq)
);

-- The highest number of the purged events of an account and name.
create table purged_event (
  account text collate "C" not null,
  name smallint not null,
  seq bigint not null,
  primary key (account, name)
);

create table do_not_text (
  scope text collate "C" not null,
  number text collate "C" not null,
  -- Time and number, by which entries are listed.
  list_key text collate "C" not null,
  op uuid,
  doc json not null,
  primary key (scope, number)
);
create index do_not_text_order on do_not_text (scope, list_key);

create table subscription (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  -- Place among the account's subscriptions: of two created at once, one gets it.
  place int not null,
  name smallint not null,
  cursor bigint not null,
  created_at bigint not null,
  doc json not null
);
create unique index subscription_account on subscription (account, place);
create index subscription_name on subscription (name, account);

-- Accounts by a hash, and the node that delivers their webhooks. The epoch grows with each owner.
create table subscription_bucket (
  bucket smallint primary key,
  owner uuid,
  epoch bigint not null default 0
) with (fillfactor = 50);
insert into subscription_bucket (bucket) select generate_series(0, 255);

create table delivery (
  subscription text collate "C" not null,
  id text collate "C" not null,
  -- Number of the hour since the epoch.
  hour bigint not null,
  ok boolean not null,
  bytes bigint not null,
  doc json not null,
  primary key (subscription, id)
);
create index delivery_hour on delivery (hour, id);
create index delivery_failure on delivery (subscription, id) where not ok;

-- The bytes of the deliveries of an hour.
create table delivery_volume (
  hour bigint primary key,
  bytes bigint not null
);

create table received_text (
  id text collate "C" primary key,
  account text collate "C" not null,
  number text collate "C",
  created_at bigint not null,
  -- The idempotency key of the request.
  once_key text collate "C",
  -- Number of the event message.received.
  event bigint,
  -- Number of the automatic reply to it among those to the same number.
  reply bigint,
  doc json not null
);
create index received_text_account on received_text (account, id);
create index received_text_age on received_text (created_at);
create index received_text_number on received_text (account, number, id);
create unique index received_text_key on received_text (account, once_key)
  where once_key is not null;
create unique index received_text_reply on received_text (account, number, reply)
  where reply is not null;

create table secret_url (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  doc json not null
);
create index secret_url_account on secret_url (account, created_at, id);

create table phone (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  doc json not null
);
create index phone_account on phone (account);

-- What statistics count of messages, also of removed ones, in each quarter of an hour since the
-- epoch. The statements that write messages count them here.
create table message_count (
  account text collate "C" not null,
  quarter bigint not null,
  -- A name of counts, such as 'created'.
  name text collate "C" not null,
  count bigint not null,
  primary key (account, quarter, name)
);
create index message_count_quarter on message_count (quarter);

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

create table contact (
  account text collate "C" not null,
  number text collate "C" not null,
  version bigint not null,
  op uuid,
  -- The normalized name and the number, by which contacts are listed and found.
  sort_key text collate "C" not null,
  -- The identifiers of the groups.
  groups jsonb not null,
  doc json not null,
  primary key (account, number)
);
create index contact_order on contact (account, sort_key);
create index contact_groups on contact using gin (groups);

${allResources.map(createTable).join('')}create table person (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  -- In lower case.
  email text collate "C" not null unique,
  doc json not null
);
create index person_account on person (account);

create table invitation (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  doc json not null
);
create index invitation_account on invitation (account);

-- Every e-mail address that signs in, in lower case, and the account or person that has it: of two
-- that take one at once, on any nodes, one does.
create table sign_in_email (
  email text collate "C" primary key,
  holder text collate "C" not null unique
);

create function keep_sign_in_email() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into sign_in_email (email, holder) values (new.email, new.id);
  elsif tg_op = 'UPDATE' then
    update sign_in_email set email = new.email where holder = new.id;
  else
    delete from sign_in_email where holder = old.id;
  end if;
  return null;
end $$;
create trigger account_email after insert or delete or update of email on account
  for each row execute function keep_sign_in_email();
create trigger person_email after insert or delete or update of email on person
  for each row execute function keep_sign_in_email();

create table audit_entry (
  -- Identifiers grow with time.
  id text collate "C" primary key,
  account text collate "C" not null,
  at bigint not null,
  action text collate "C" not null,
  -- In lower case: what filters look into.
  actor text collate "C" not null,
  target text collate "C" not null,
  address text collate "C",
  doc json not null
);
create index audit_entry_account on audit_entry (account, id);

-- What limits count, such as failed sign-in attempts. Only the primary key is indexed, so that a
-- change of a row needs no new index entries.
create table limit_state (
  kind text collate "C" not null,
  key text collate "C" not null,
  op uuid not null,
  -- When the row may be deleted.
  until bigint not null,
  doc json not null,
  primary key (kind, key)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Periodic work, which one node at a time does.
create table chore (
  name text collate "C" primary key,
  owner uuid not null,
  until bigint not null
);

-- The running programs; one that does not renew its row in time loses its buckets.
create table node (
  id uuid primary key,
  version text not null,
  until bigint not null
) with (fillfactor = 50);

-- Summaries of changes for other nodes, which read them once. A crash may lose them, but their
-- numbers go on: the sequence is not that of the table, with which it would start again.
create sequence hint_number;
create unlogged table hint (
  id bigint primary key default nextval('hint_number'),
  node uuid not null,
  payload text not null
);
${Object.entries(limitedTables).map(createLimit).join('')}`

function createLimit([table, name]: readonly [string, RecordLimitName]): string {
  return `
create trigger ${table}_limit after insert on ${table} referencing new table as added
  for each statement
  execute function keep_within_limit('${name}', '${accountLimits[name].default}');`
}

/** The table of a resource: whole records, and columns with what no two of them share. */
function createTable(resource: Resource): string {
  const { name, table = name } = resource
  const keys = listUniqueKeys(resource)
  return `create table ${table} (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  ${keys.map(({ column }) => `${column} text collate "C",\n  `).join('')}doc json not null
);
create index ${table}_account on ${table} (account, created_at, id);
${keys
  .map(({ field, column, isOfAccount }) => {
    const columns = isOfAccount ? `account, ${column}` : column
    return `create unique index ${table}_${field} on ${table} (${columns});\n`
  })
  .join('')}
`
}
