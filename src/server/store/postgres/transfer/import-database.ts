import type { ClientConfig } from 'pg'
import { RelayError } from '../../../../errors.js'
import type { OnProgress } from '../../../../util/async/progress.js'
import type { Collections, Kind, Records } from '../../lowdb/records/collections.js'
import { type OpenClient, openClient } from '../connection/open-client.js'
import { toEventCode } from '../events/event-code.js'
import { MessageTotals } from './message-totals.js'
import {
  accountTable,
  eventTable,
  idempotencyKeyTable,
  messageTable,
  tokenTable,
} from './transfer-messages.js'
import {
  auditTransferTable,
  contactTable,
  createReceivedTextTable,
  createSubscriptionTable,
  doNotTextTable,
  invitationTable,
  personTable,
  phoneTable,
  resourceTables,
  secretUrlTable,
} from './transfer-records.js'
import type { Row, TransferTable } from './transfer-table.js'

const rowsPerStatement = 1000

export function listTransferTables(): readonly TransferTable[] {
  const tables = [
    ...[accountTable, tokenTable, personTable, invitationTable, messageTable],
    ...[createSubscriptionTable(), secretUrlTable, phoneTable, ...resourceTables],
    ...[contactTable, createReceivedTextTable(), doNotTextTable],
    ...[idempotencyKeyTable, eventTable, auditTransferTable],
  ]
  return tables as unknown as readonly TransferTable[]
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

/**
 * Writes records to an empty database with the newest schema, all or none of them. Throws
 * `configuration` if the database has accounts, and the reason of the signal if it is aborted.
 */
export async function importDatabase(
  config: ClientConfig,
  data: Collections,
  { signal, onProgress }: ImportOptions = {},
): Promise<void> {
  const open = await openClient({ ...config, application_name: 'smsrelay import' })
  const tables = listTransferTables()
  const total = tables.reduce((sum, { kind }) => sum + data[kind].size, 0)
  let finished = 0
  const onRows = (rows: number) => {
    finished += rows
    onProgress?.(finished, total)
  }
  try {
    await open.client.query('begin')
    await open.client.query("set local smsrelay.import = 'on'")
    await assertEmpty(open)
    for (const table of tables) {
      const rows = toRows(table, data[table.kind])
      await insertAll(open, table.table, table.columns, rows, signal, onRows)
    }
    await insertCounts(open, data, signal)
    await insertPositions(open, data, signal)
    await open.client.query('commit')
    await open.client.query('analyze')
  } finally {
    await open.client.end()
  }
}

/** The lock keeps nodes that start meanwhile from creating an account. */
async function assertEmpty({ client }: OpenClient): Promise<void> {
  await client.query('lock table account in share row exclusive mode')
  const { rows } = await client.query('select from account limit 1')
  if (rows.length === 0) return
  throw new RelayError('configuration', 'The database contains data.', {
    hint: 'Name an empty database.',
  })
}

function* toRows<K extends Kind>(
  table: TransferTable<K>,
  records: Iterable<[string, Records[K]]>,
): Iterable<Row> {
  for (const [key, record] of records) yield table.toRow(record, key)
}

async function insertCounts(
  open: OpenClient,
  data: Collections,
  signal: AbortSignal | undefined,
): Promise<void> {
  const totals = new MessageTotals()
  for (const message of data.message.values()) {
    totals.add(message)
    totals.addToGroups(message)
  }
  for (const counts of data.tally.values()) totals.addDeleted(counts)
  const columns = { account: 'text', quarter: 'bigint', name: 'text', count: 'bigint' }
  const rows = totals.rows() as Iterable<unknown> as Iterable<Row>
  await insertAll(open, 'message_count', columns, rows, signal)
  const groupColumns = { span: 'smallint', ...columns }
  const groupRows = totals.groupRows() as Iterable<unknown> as Iterable<Row>
  await insertAll(open, 'message_group_count', groupColumns, groupRows, signal)
}

/** The next event of every account gets a number above all imported ones. */
async function insertPositions(
  open: OpenClient,
  data: Collections,
  signal: AbortSignal | undefined,
): Promise<void> {
  let last = 0
  for (const { seq } of data.event.values()) last = Math.max(last, seq)
  const purged: Row[] = []
  for (const [key, { seq }] of data.meta) {
    last = Math.max(last, seq)
    const [account, name] = key.split(' ')
    if (name !== undefined) purged.push({ account, name: toEventCode(name as never), seq })
  }
  const clocks = [...data.account.keys()].map(account => ({ account, seq: last }))
  await insertAll(open, 'account_clock', { account: 'text', seq: 'bigint' }, clocks, signal)
  const columns = { account: 'text', name: 'smallint', seq: 'bigint' }
  await insertAll(open, 'purged_event', columns, purged, signal)
}

/** Inserts rows, a thousand with each statement. */
async function insertAll(
  { client }: OpenClient,
  table: string,
  columns: Readonly<Record<string, string>>,
  rows: Iterable<Row>,
  signal: AbortSignal | undefined,
  onRows?: (rows: number) => void,
): Promise<void> {
  const names = Object.keys(columns)
  const places = Object.values(columns).map((type, at) => `$${at + 1}::${toSentType(type)}[]`)
  const values = Object.entries(columns).map(([name, type]) => `r.${name}::${type}`)
  const text =
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} ` +
    `from unnest(${places.join(', ')}) as r(${names.join(', ')})`
  const insert = async (batch: readonly Row[]): Promise<void> => {
    signal?.throwIfAborted()
    await client.query(
      text,
      names.map(name => batch.map(row => toValue(row[name]))),
    )
    onRows?.(batch.length)
  }
  let batch: Row[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < rowsPerStatement) continue
    await insert(batch)
    batch = []
  }
  if (batch.length > 0) await insert(batch)
}

function toSentType(type: string): string {
  return type === 'json' || type === 'jsonb' ? 'text' : type
}

function toValue(value: unknown): unknown {
  if (value === undefined || value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : value
}
