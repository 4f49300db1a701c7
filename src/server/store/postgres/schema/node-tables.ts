/** The tables of the first schema that nodes use together, and that no account owns. */
export const nodeTables = `
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
`
