import { auditTable } from './audit-table.js'
import { groupCountTable } from './group-table.js'
import type { MigrationStep } from './migration-step.js'
import { peopleTables } from './people-tables.js'

export const step002: MigrationStep = {
  version: 2,
  summary: 'Index all messages by number; add contacts, groups, templates, people, audit log.',
  // Programs of version 1 do not count messages by groups.
  oldestProgram: 2,
  // Also for the messages that do not wait: of a conversation, and of a search by number.
  indexes: [{ name: 'message_recipient', table: 'message', on: '(number, account, id)' }],
  text: `
drop index message_number;

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

create table contact_group (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  -- The name as it is compared.
  name_key text collate "C" not null,
  doc json not null
);
create unique index contact_group_name on contact_group (account, name_key);

create table template (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  -- The name as it is compared.
  name_key text collate "C" not null,
  doc json not null
);
create unique index template_name on template (account, name_key);
${peopleTables}${auditTable}${groupCountTable}`,
}
