/** The table of the audit log. Its entries stay when their account is removed. */
export const auditTable = `
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
`
