import { buildEntryAppend } from '../audit/audited-statement.js'
import type { Statement } from '../connection/statement.js'
import { buildEventAppend } from '../events/append-events.js'
import { buildGroupCount } from './group-count.js'

export interface WriteParts {
  readonly creates: boolean
  readonly changes: boolean
  readonly removes: boolean
  readonly keys: boolean
  readonly originals: boolean
  readonly counts: boolean
  readonly groups: boolean
  readonly events: boolean
  readonly audit: boolean
}

/** Conditions on the facts that a decision on a message saw, as bits of the column `guards`. */
export const guardBits = {
  checkBlocked: 1,
  blocked: 2,
  checkAccount: 4,
  accountMissing: 8,
} as const

const statements = new Map<string, Statement>()

/**
 * The statement that writes a group of messages with their events, all in one commit. It resolves
 * to the places of the messages that it did not write: their versions are not those in the
 * database any more, or their facts, originals or idempotency keys do not allow it.
 */
export function getWriteStatement(parts: WriteParts): Statement {
  const { creates, changes, removes, keys, originals, counts, groups, events, audit } = parts
  const flags = [creates, changes, removes, keys, originals, counts, groups, events, audit]
    .map(Number)
    .join('')
  const known = statements.get(flags)
  if (known !== undefined) return known
  const statement = { name: `write_messages_${flags}`, text: buildText(parts) }
  statements.set(flags, statement)
  return statement
}

/** Names the types of the parameters that a statement does not use. */
const types = `
with unused as (
  select $14::uuid, $15::bigint, $16::bigint[], $17::smallint[], $18::bigint[], $19::text[],
    $20::text[], $21::bigint[], $22::bigint[], $23::bigint[], $24::text[], $25::text[], $26::int[],
    $27::bigint[], $28::bigint[], $29::text[], $30::int[],
    $31::bigint[], $32::text[], $33::bigint[]
)`

/** The operation of an original stays: it tells whether an earlier write of it was done. */
const raised = `
raised as (
  update message m set version = m.version + 1
  from unnest($31::bigint[], $32::text[], $33::bigint[]) as o(n, id, was)
  join r on r.n = o.n
  where m.account = r.account and m.id = o.id and m.version = o.was
  returning o.n
)`

const buildRows = (originals: boolean) => `
r as materialized (
  select * from rows from (
    unnest($1::text[], $2::text[], $3::bigint[], $4::"char"[], $5::bigint[], $6::bigint[],
      $7::text[], $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::smallint[]),
    json_array_elements($13::json)
  ) with ordinality as r(account, id, was, status, due_at, status_at,
    holder, lease_until, lease_claim, last_holder, number, guards, doc, n)
)${originals ? `,${raised}` : ''},
passed as (
  select * from r
  where (guards & 1 = 0 or (guards & 2 <> 0) = exists (
      select from do_not_text d where d.scope in (r.account, '*') and d.number = r.number))
    and (guards & 4 = 0 or (guards & 8 = 0) = exists (
      select from account a where a.id = r.account))
    ${originals ? 'and (n <> all ($31::bigint[]) or n in (select n from raised))' : ''}
)`

/** A key that another request used may have been used for the same message. */
const keyed = `
keyed as (
  insert into idempotency_key as present (account, key, digest, until, message, doc)
  select k.account, k.key, k.digest, k.until, p.id, p.doc
  from unnest($18::bigint[], $19::text[], $20::text[], $21::bigint[], $25::text[])
    as k(n, key, digest, until, account)
  join passed p on p.n = k.n
  order by k.account, k.key
  on conflict (account, key) do update
    set digest = excluded.digest, until = excluded.until, message = excluded.message,
      doc = excluded.doc
    where present.until <= $15::bigint
  returning message
),
admitted as (
  select * from passed p where p.n <> all ($18::bigint[])
    or exists (select from keyed where keyed.message = p.id)
)`

const available =
  "case when r.status in ('N', 'E') then greatest(r.due_at, coalesce(r.lease_until, 0)) end"

const buildCreated = (source: string) => `
created as (
  insert into message (account, id, version, op, status, due_at, available_at, status_at,
    holder, lease_until, lease_claim, last_holder, number, doc)
  select account, id, 1, $14::uuid, status, due_at, ${available}, status_at,
    holder, lease_until, lease_claim, last_holder, number, doc
  from ${source} r where was = 0 and status is not null order by n
  on conflict (account, id) do nothing
  returning id
),
created_rows as (
  select r.n, r.account, r.id from r
  where r.was = 0 and (r.id in (select id from created)) is true
)`

const buildChanged = (source: string) => `
changed as (
  update message m
  set version = m.version + 1, op = $14::uuid, status = r.status, due_at = r.due_at,
    available_at = ${available}, status_at = r.status_at, holder = r.holder,
    lease_until = r.lease_until, lease_claim = r.lease_claim, last_holder = r.last_holder,
    number = r.number, doc = r.doc
  from ${source} r
  where r.status is not null and m.account = r.account and m.id = r.id and m.version = r.was
  returning r.n, r.account, r.id
)`

const buildRemoved = (source: string) => `
removed as (
  delete from message m using ${source} r
  where r.status is null and m.account = r.account and m.id = r.id and m.version = r.was
  returning r.n, r.account, r.id
)`

const counted = `
counted as (
  insert into message_count as present (account, quarter, name, count)
  select written.account, c.quarter, c.name, sum(c.change)
  from unnest($22::bigint[], $23::bigint[], $24::text[], $26::int[])
    as c(n, quarter, name, change)
  join written on written.n = c.n
  group by written.account, c.quarter, c.name
  order by written.account, c.quarter, c.name
  on conflict (account, quarter, name) do update set count = present.count + excluded.count
)`

const grouped = buildGroupCount(`
    select written.account, g.quarter, g.name, g.change
    from unnest($27::bigint[], $28::bigint[], $29::text[], $30::int[])
      as g(n, quarter, name, change)
    join written on written.n = g.n`)

function buildText(parts: WriteParts): string {
  const { creates, changes, removes, keys, originals, counts, groups, events, audit } = parts
  const source = keys ? 'admitted' : 'passed'
  const done = [
    ...(creates ? ['created_rows'] : []),
    ...(changes ? ['changed'] : []),
    ...(removes ? ['removed'] : []),
  ]
  const all = done.map(each => `select n, account, id from ${each}`).join(' union all ')
  const recorded = `
    select written.account, written.id as object, e.name, e.place
    from unnest($16::bigint[], $17::smallint[]) with ordinality as e(n, name, place)
    join written on written.n = e.n`
  return [
    types,
    buildRows(originals),
    ...(keys ? [keyed] : []),
    ...(creates ? [buildCreated(source)] : []),
    ...(changes ? [buildChanged(source)] : []),
    ...(removes ? [buildRemoved(source)] : []),
    `\nwritten as materialized (${all})`,
    ...(counts ? [counted] : []),
    ...(groups ? [grouped] : []),
    ...(events ? [buildEventAppend(recorded, '$15::bigint')] : []),
    ...(audit ? [buildEntryAppend(34, 'exists (select from written)')] : []),
  ]
    .join(',')
    .concat('\nselect n from r where n not in (select n from written)')
}
