import type { MigrationStep } from './migration-step.js'
import { nodeTables } from './node-tables.js'

/**
 * All tables of the first version. Times are milliseconds since the epoch. `doc` is the whole
 * record, or what no column has; its type is json, not jsonb, which cannot store U+0000. `version`
 * guards a row against decisions on an older state, and `op` names the operation that changed it
 * last. Identifiers are compared byte by byte, so that their order does not depend on a locale.
 */
export const step001: MigrationStep = {
  version: 1,
  summary: 'Create the tables.',
  oldestProgram: 1,
  text: `
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
  turn bigint not null default 0
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
-- Statements that look for due or held messages do not have its condition, so they never use it.
create index message_number on message (number, account) where status in ('N', 'E');

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
create index secret_url_account on secret_url (account);

create table mailbox (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  alias text collate "C" unique,
  hash text collate "C",
  doc json not null
);
create index mailbox_account on mailbox (account);
create unique index mailbox_hash on mailbox (hash);

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
${nodeTables}`,
}
