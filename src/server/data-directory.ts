import { resolve } from 'node:path'
import { lockDirectory } from '../util/files/directory-lock.js'
import { assertDataDirectory } from './store/lowdb/journal/assert-data-directory.js'
import {
  backupData,
  checkData,
  type DataReport,
  type ExportedRecord,
  exportData,
  importData,
  repairData,
} from './store/lowdb/journal/data-tools.js'

export type { DataReport, ExportedRecord }

/**
 * Reports what a data directory holds and what is damaged; a relay can run on it. Throws `usage`
 * for another path.
 */
export async function checkDirectory(directory: string): Promise<DataReport> {
  return await checkData(await resolveDataDirectory(directory))
}

/**
 * Yields all records of a data directory; a relay can run on it. Throws `damaged_data`, and `usage`
 * for another path.
 */
export async function* exportDirectory(directory: string): AsyncGenerator<ExportedRecord> {
  yield* exportData(await resolveDataDirectory(directory))
}

/**
 * Retains undamaged records and moves the rest to another directory. Resolves to its path. Throws
 * `directory_in_use`, and `usage` for another path.
 */
export async function repairDirectory(directory: string): Promise<string> {
  const path = await resolveDataDirectory(directory)
  return await runLocked(path, async () => await repairData(path, new Date()))
}

/**
 * Creates a data directory from exported records. Resolves to their number. Throws
 * `directory_in_use` and `configuration`.
 */
export async function importDirectory(
  directory: string,
  records: AsyncIterable<unknown>,
): Promise<number> {
  const path = resolve(directory)
  return await runLocked(path, async () => await importData(path, records))
}

/**
 * Copies a data directory at one moment; a relay can run on it. Resolves to the copy's path. Throws
 * `configuration`, and `usage` for another path.
 */
export async function backupDirectory(directory: string, target: string): Promise<string> {
  const path = resolve(target)
  await backupData(await resolveDataDirectory(directory), path)
  return path
}

async function resolveDataDirectory(directory: string): Promise<string> {
  const path = resolve(directory)
  await assertDataDirectory(path)
  return path
}

async function runLocked<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockDirectory(directory)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}
