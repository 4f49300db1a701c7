// All records of a database, as an export has them: the same kinds, keys and records as those of a
// data directory.
// - transfer-table: how the records of a kind are stored; transfer-messages, transfer-records: each
//   of them
// - export-database: reads all tables in one snapshot
// - import-database: writes records to an empty database, in one transaction
// - message-totals: what statistics count of messages that are still there
//
// The database numbers the events of each account, so the key of an exported event has its account.
// After an import the numbers of every account continue above all imported ones.

import type { ClientConfig } from 'pg'
import type { OnProgress } from '../../../../util/async/progress.js'
import type { ExportedRecord } from '../../lowdb/journal/data-tools.js'
import { type OpenClient, openClient } from '../connection/open-client.js'
import { toEventName } from '../events/event-code.js'
import { listTransferTables } from './import-database.js'
import { MessageTotals, type TotalRow } from './message-totals.js'
import type { Row, TransferTable } from './transfer-table.js'

const rowsPerFetch = 1000

/**
 * Yields all records of a database as they are at one moment, and reports how many of about
 * how many. Throws errors of the database.
 */
export async function* exportDatabase(
  config: ClientConfig,
  onProgress?: OnProgress,
): AsyncGenerator<ExportedRecord> {
  const open = await openClient({ ...config, application_name: 'smsrelay export' })
  let finished = 0
  try {
    const estimate = onProgress === undefined ? 0 : await estimateRows(open)
    await open.client.query('begin isolation level repeatable read read only')
    const totals = new MessageTotals()
    for (const table of listTransferTables()) {
      for await (const { key, record } of readTable(open, table)) {
        if (table.kind === 'message') totals.add(record as never)
        yield { kind: table.kind, key, record }
        finished += 1
        onProgress?.(finished, estimate)
      }
    }
    for await (const row of readRows(open, 'select * from message_count order by account')) {
      totals.subtractFrom(row as unknown as TotalRow)
    }
    for (const record of totals.listDeleted()) yield { kind: 'tally', key: record.id, record }
    yield* exportPositions(open)
  } finally {
    await open.client.end()
  }
}

async function estimateRows({ client }: OpenClient): Promise<number> {
  const { rows } = await client.query(
    'select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows ' +
      'from pg_class where oid = any ($1::text[]::regclass[]::oid[])',
    [listTransferTables().map(({ table }) => table)],
  )
  return rows[0]?.rows ?? 0
}

async function* readTable(open: OpenClient, { table, columns, order, toEntry }: TransferTable) {
  const names = Object.keys(columns).join(', ')
  for await (const row of readRows(open, `select ${names} from ${table} order by ${order}`)) {
    yield toEntry(row)
  }
}

/** The highest numbers of events: of all accounts, and of those that were purged. */
async function* exportPositions(open: OpenClient): AsyncGenerator<ExportedRecord> {
  const { rows } = await open.client.query('select max(seq) as seq from account_clock')
  yield { kind: 'meta', key: 'events', record: { seq: rows[0]?.seq ?? 0 } }
  for await (const row of readRows(open, 'select account, name, seq from purged_event')) {
    const { account, name, seq } = row
    yield { kind: 'meta', key: `${account} ${toEventName(name as number)}`, record: { seq } }
  }
}

async function* readRows({ client }: OpenClient, query: string): AsyncGenerator<Row> {
  await client.query(`declare rows no scroll cursor for ${query}`)
  for (;;) {
    const { rows } = await client.query(`fetch ${rowsPerFetch} from rows`)
    yield* rows
    if (rows.length < rowsPerFetch) break
  }
  await client.query('close rows')
}
