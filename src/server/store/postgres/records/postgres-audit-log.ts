// The audit log in PostgreSQL: a row for each entry, which no statement changes.
// - `audit/audited-statement` appends a row in the statement of its change.
// - The row has the whole entry as JSON, and columns for what filters look at.
// - The statement of a page has only the conditions of its filter, so that a page of one account
//   reads the index of the account.
// - Old entries are deleted from the oldest one on, in batches.
// The text of a statement is never made of what a user enters.
import type { AuditEntry } from '../../../../domain/audit/audit-entry.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import type { AuditQuery, AuditStore } from '../../audit-store.js'
import { buildEntryAppend, toEntryValue } from '../audit/audited-statement.js'
import type { Statement } from '../connection/statement.js'
import { notifyOf, type RecordContext, runStatement } from './record-context.js'

const deletedPerStatement = 1000

const read: Statement = {
  name: 'audit-read',
  text: 'select doc from audit_entry where id = $1',
}

const append: Statement = {
  name: 'audit-append',
  text: `with ${buildEntryAppend(1, 'true', true)} select 1`,
}

const deleteOld: Statement = {
  name: 'audit-delete-old',
  text: `
    delete from audit_entry where id = any(array(
      select id from (select id, at from audit_entry order by id limit $2) as first
      where at < $1))
    returning 1`,
}

const conditions: { readonly [F in Exclude<keyof AuditQuery, 'count'>]-?: string } = {
  account: 'account = ?',
  before: 'id < ?',
  since: 'at >= ?',
  until: 'at < ?',
  action: "(action = ? or starts_with(action, ? || '.'))",
  actor: 'strpos(actor, lower(?)) > 0',
  target: 'strpos(target, lower(?)) > 0',
  address: 'address = ?',
}

export class PostgresAuditLog implements AuditStore {
  readonly #context: RecordContext

  constructor(context: RecordContext) {
    this.#context = context
  }

  async get(id: string): Promise<AuditEntry | undefined> {
    return (await runStatement<{ doc: AuditEntry }>(this.#context, read, [id]))[0]?.doc
  }

  async append(entry: AuditEntry, event?: EventName): Promise<void> {
    const value = toEntryValue({ entry, ...(event && { event }) })
    await runStatement(this.#context, append, [value])
    if (event !== undefined) notifyOf(this.#context, entry.account, { events: [event] })
  }

  async getPage(query: AuditQuery): Promise<AuditEntry[]> {
    const { statement, values } = buildPageStatement(query)
    const rows = await runStatement<{ doc: AuditEntry }>(this.#context, statement, values)
    return rows.map(({ doc }) => doc)
  }

  async *purge(before: number): AsyncGenerator<number> {
    for (;;) {
      const values = [before, deletedPerStatement]
      const { length } = await runStatement(this.#context, deleteOld, values)
      yield length
      if (length < deletedPerStatement) return
    }
  }
}

function buildPageStatement(query: AuditQuery): {
  readonly statement: Statement
  readonly values: readonly unknown[]
} {
  const fields = (Object.keys(conditions) as (keyof typeof conditions)[]).filter(
    field => query[field] !== undefined,
  )
  const values = [query.count, ...fields.map(field => query[field])]
  const types = { since: 'bigint', until: 'bigint' } as Readonly<Record<string, string>>
  const where = fields.map((field, at) =>
    conditions[field].replaceAll('?', `$${at + 2}::${types[field] ?? 'text'}`),
  )
  const text = `
    select doc from audit_entry where ${['true', ...where].join(' and ')}
    order by id desc limit $1`
  return { statement: { name: ['audit-page', ...fields].join('-'), text }, values }
}
