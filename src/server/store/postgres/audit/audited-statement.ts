// Entries of the audit log in the statements of their changes, so that a commit has both or none.
// 1. `createChange` builds two texts of a statement: one as it is, and one that also appends.
// 2. The entry is one parameter, and the statement appends it only if it changes a record.
// 3. The entry's identifier stays the same when the statement runs again, so it is there once.
// 4. `runChange` of `records/` asks for the entry, and chooses between the two texts.
import { buildActorText, buildTargetText } from '../../../../domain/audit/audit-entry.js'
import type { AuditAppend, CommitAudit, RecordChange } from '../../audit-store.js'
import type { Statement } from '../connection/statement.js'
import { buildEventAppend } from '../events/append-events.js'
import { toEventCode } from '../events/event-code.js'

export interface ChangeStatement extends Statement {
  readonly audited: Statement
}

/**
 * Builds the common table expressions that append an entry to the audit log in the statement of its
 * change. A statement whose outcome is unknown runs again, and finds its own row.
 *
 * @param place the number of the parameter: an array, as {@link toEntryValue} makes it
 * @param condition the SQL of whether the statement changes something
 * @param event whether the entry can have an event
 */
export function buildEntryAppend(place: number, condition: string, event = false): string {
  const columns = 'id, account, at, action, actor, target, address, doc'
  return `
entry_appended as (
  insert into audit_entry (${columns})
  select e[1], e[2], e[3]::bigint, e[4], e[5], e[6], e[7], e[8]::json
  from (select $${place}::text[] as e) as given where ${condition}
  on conflict (id) do update set actor = excluded.actor, target = excluded.target,
    doc = excluded.doc
  returning id, account
)${event ? `,${buildEntryEvent(place)}` : ''}`
}

function buildEntryEvent(place: number): string {
  const code = `($${place}::text[])[9]::smallint`
  return buildEventAppend(
    `select entry.account, entry.id as object, ${code} as name, 1 as place
    from entry_appended entry join account on account.id = entry.account
    where ${code} is not null`,
    `($${place}::text[])[3]::bigint`,
  )
}

export function toEntryValue({ entry, event }: AuditAppend): (string | null)[] {
  const { id, account, at, action, address } = entry
  return [
    ...[id, account, String(at), action, buildActorText(entry), buildTargetText(entry)],
    ...[address ?? null, JSON.stringify(entry)],
    event === undefined ? null : String(toEventCode(event)),
  ]
}

export function createChange(
  name: string,
  build: (append: (condition: string) => string) => string,
  { event = false } = {},
): ChangeStatement {
  const text = build(() => '')
  const place = 1 + Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  const audited = build(condition => `,${buildEntryAppend(place, condition, event)}`)
  return { name, text, audited: { name: `${name}-audited`, text: audited } }
}

export function auditChange(
  audit: CommitAudit | undefined,
  statement: ChangeStatement,
  values: readonly unknown[],
  changes: readonly RecordChange[],
): { statement: Statement; values: readonly unknown[]; append: AuditAppend | undefined } {
  const append = audit?.describe(changes)
  if (append === undefined) return { statement, values, append }
  return {
    statement: statement.audited,
    values: [...values, toEntryValue(append)],
    append,
  }
}
