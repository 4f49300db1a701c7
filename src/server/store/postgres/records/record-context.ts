// The smaller records in PostgreSQL: everything but messages and events.
// - record-table: reads and changes rows that hold a whole record, guarded by a version
// - postgres-accounts, account-removal, postgres-tokens, postgres-account-records: use it
// - postgres-do-not-text, block-listed-messages: the lists, and the messages to numbers on them
// - postgres-received-texts: a text, its event, its effect and its reply in one statement
// - postgres-audit-log: reads the audit log, and appends what has no change in the store
// - postgres-statistics, postgres-delivery-log: counts, and what people read about webhooks
//
// 1. A change reads a row, decides, and writes it if the version is still the same. After a lost
//    race it reads and decides again.
// 2. A row has the identifier of the operation that wrote it last (`op`). A statement whose outcome
//    is unknown runs again, and recognises its own operation.
import { DatabaseError } from 'pg'
import { type RecordLimitName, tooManyRecordsError } from '../../../../domain/account-limits.js'
import type { CommitAudit, RecordChange } from '../../audit-store.js'
import type { StoreChange } from '../../store.js'
import { auditChange, type ChangeStatement } from '../audit/audited-statement.js'
import type { Database } from '../connection/database.js'
import type { Connection, Statement } from '../connection/statement.js'
import { limitViolation } from '../schema/tables.js'

export interface RecordContext {
  readonly database: Pick<Database, 'retry'>
  readonly connection: Connection
  readonly now: () => number
  /** Milliseconds since some fixed moment; never goes back. */
  readonly monotonic: () => number
  readonly createOperation: () => string
  readonly notify: (change: StoreChange) => void
  /** The audited call in progress. */
  readonly audit: CommitAudit | undefined
}

/**
 * Runs one statement on records until its outcome is known; `changes` is the number of requests
 * that share it. A column cannot hold U+0000, so U+FFFD stands for it; JSON documents escape it.
 */
export async function runStatement<Row>(
  { database, connection }: RecordContext,
  statement: Statement,
  values: readonly unknown[],
  changes = 1,
): Promise<Row[]> {
  const storable = values.map(toStorable)
  const run = async () => await connection.query<Row>(statement, storable, changes)
  return await database.retry(run).catch(throwLimit)
}

/**
 * Runs a statement that changes records, and in the same commit appends their entry to the audit
 * log. `requests` share it; `runs` is more than 1 if the reply to an earlier run was lost.
 */
export async function runChange<Row>(
  context: RecordContext,
  change: ChangeStatement,
  given: readonly unknown[],
  changes: readonly RecordChange[],
  requests = 1,
): Promise<{ readonly rows: Row[]; readonly runs: number }> {
  const { database, connection, audit } = context
  const { statement, values, append } = auditChange(audit, change, given, changes)
  const storable = values.map(toStorable)
  let runs = 0
  const run = async () => {
    runs += 1
    return await connection.query<Row>(statement, storable, requests)
  }
  const rows = await database.retry(run).catch(throwLimit)
  const { entry, event } = append ?? {}
  if (entry && event) notifyOf(context, entry.account, { events: [event] })
  return { rows, runs }
}

/**
 * Runs a statement that deletes at most `batch` rows until it finds fewer; resolves to the number
 * of deleted rows.
 */
export async function deleteAll(
  context: RecordContext,
  statement: Statement,
  values: readonly unknown[],
  batch: number,
): Promise<number> {
  for (let all = 0; ; ) {
    const { length } = await runStatement(context, statement, [...values, batch])
    all += length
    if (length < batch) return all
  }
}

/**
 * Calls the store's listeners of an account after a change; without details, after a change of the
 * account itself or of its tokens.
 */
export function notifyOf(
  { notify }: RecordContext,
  account: string,
  changes: Partial<StoreChange> = {},
): void {
  notify({ account, messages: [], holders: [], events: [], subscriptions: [], ...changes })
}

/** Throws `invalid_state` for a row that `keep_within_limit` refused. */
function throwLimit(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.code !== limitViolation) throw error
  throw tooManyRecordsError(error.message as RecordLimitName, Number(error.detail))
}

function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\u{fffd}')
  return Array.isArray(value) ? value.map(toStorable) : value
}
