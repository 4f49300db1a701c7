import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isRelayError, RelayError } from '../errors.js'
import type { OnProgress } from '../util/async/progress.js'
import { syncDirectory } from '../util/files/atomic-write.js'
import { isMissingFile } from '../util/files/file-error.js'
import type { DatabaseSettings } from './config/relay-config.js'
import type { ExportedRecord } from './store/lowdb/journal/data-tools.js'
import { type DatabaseTarget, parseDatabaseUrl } from './store/postgres/connection/database-url.js'
import { toStartError } from './store/postgres/connection/start-error.js'
import { prepareSchema } from './store/postgres/schema/schema.js'
import { exportDatabase } from './store/postgres/transfer/export-database.js'
import { type ImportOptions, importDatabase } from './store/postgres/transfer/import-database.js'

export interface DatabaseReport {
  readonly records: Readonly<Record<string, number>>
  /** Records that no import would accept. */
  readonly problems: readonly string[]
}

/**
 * Reads all records of a relay's database and checks each as an import does. Changes nothing; nodes
 * can run. Throws `usage` and `unavailable`.
 */
export async function checkDatabase(
  database: DatabaseSettings,
  onProgress?: OnProgress,
): Promise<DatabaseReport> {
  const records: Record<string, number> = {}
  async function* encode(): AsyncGenerator<Uint8Array> {
    for await (const record of exportDatabaseRecords(database, onProgress)) {
      records[record.kind] = (records[record.kind] ?? 0) + 1
      yield Buffer.from(JSON.stringify(record))
    }
  }
  try {
    const { parseExport } = await import('./store/lowdb/import/parse-export.js')
    await parseExport(encode())
    return { records, problems: [] }
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return { records, problems: error.details ?? [error.message] }
  }
}

/**
 * Yields all records of a relay's database as they are at one moment; nodes can run. Reports how
 * many, with an estimate of the total. Throws `usage` and `unavailable`.
 */
export async function* exportDatabaseRecords(
  database: DatabaseSettings,
  onProgress?: OnProgress,
): AsyncGenerator<ExportedRecord> {
  const target = await prepareTarget(database, false)
  try {
    yield* exportDatabase(target.config, onProgress)
  } catch (error) {
    throw toStartError(error, target.name)
  }
}

/**
 * Writes the lines of an export to a database without accounts, and creates its tables first.
 * Resolves to the number of records, and reports how many are written. Throws `usage`,
 * `unavailable`, `configuration`, and `invalid_parameter` with the wrong lines as `details`; after
 * an error no record was written.
 */
export async function importIntoDatabase(
  database: DatabaseSettings,
  lines: AsyncIterable<Uint8Array>,
  { signal, onProgress }: ImportOptions = {},
): Promise<number> {
  const { parseExport } = await import('./store/lowdb/import/parse-export.js')
  const data = await parseExport(lines)
  const target = await prepareTarget(database, true)
  try {
    await importDatabase(target.config, data, { signal, onProgress })
  } catch (error) {
    throw toStartError(error, target.name)
  }
  return Object.values(data).reduce((sum, records) => sum + records.size, 0)
}

/**
 * Writes an export of a relay's database to a new file, which only its owner can read. The file
 * gets its name when it is complete; until then it ends in `.partial`. Resolves to the file's path.
 * Throws `configuration`, `usage` and `unavailable`.
 */
export async function backupDatabase(
  database: DatabaseSettings,
  file: string,
  onProgress?: OnProgress,
): Promise<string> {
  const path = resolve(file)
  const found = await stat(path).catch(ignoreMissing)
  if (found !== undefined) throw fileExistsError(path)
  const partial = `${path}.partial`
  await writeExport(database, partial, onProgress)
  await rename(partial, path)
  await syncDirectory(dirname(path))
  return path
}

/**
 * Writes an export of a relay's database to a new file, and removes the file after an error. Throws
 * `configuration`, `usage` and `unavailable`.
 */
async function writeExport(
  database: DatabaseSettings,
  path: string,
  onProgress?: OnProgress,
): Promise<void> {
  async function* formatLines(): AsyncGenerator<string> {
    for await (const record of exportDatabaseRecords(database, onProgress)) {
      yield `${JSON.stringify(record)}\n`
    }
  }
  const output = await open(path, 'wx', 0o600).catch(cause => {
    if (cause.code !== 'EEXIST') throw cause
    throw fileExistsError(path)
  })
  try {
    await pipeline(formatLines(), createWriteStream('', { fd: output, flush: true }))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

function fileExistsError(path: string): RelayError {
  return new RelayError('configuration', `${path} exists.`, {
    hint: 'Choose a new file for the backup.',
  })
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissingFile(error)) throw error
}

async function prepareTarget(
  { migrate: _, ...access }: DatabaseSettings,
  migrate: boolean,
): Promise<DatabaseTarget> {
  const target = await parseDatabaseUrl(access)
  try {
    await prepareSchema(target.config, { migrate })
    return target
  } catch (error) {
    throw toStartError(error, target.name)
  }
}
