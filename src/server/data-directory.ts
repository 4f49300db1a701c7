import { resolve } from 'node:path'
import { lockDirectory } from '../util/files/directory-lock.js'
import {
  backupData,
  checkData,
  type DataReport,
  type ExportedRecord,
  exportData,
  importData,
  repairData,
} from './store/lowdb/journal/data-tools.js'

export { type DataReport, type ExportedRecord, exportData }

/** Reports what a data directory holds and what is damaged; a relay can run on it. */
export async function checkDirectory(directory: string): Promise<DataReport> {
  return await checkData(resolve(directory))
}

/**
 * Retains undamaged records and moves the rest to another directory. Resolves to its path. Throws
 * `directory_in_use`.
 */
export async function repairDirectory(directory: string): Promise<string> {
  const path = resolve(directory)
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

/** Copies a data directory at one moment; a relay can run on it. Resolves to the copy's path. */
export async function backupDirectory(directory: string, target: string): Promise<string> {
  const path = resolve(target)
  await backupData(resolve(directory), path)
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
