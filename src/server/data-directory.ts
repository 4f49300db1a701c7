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

/** Reports what is whole in a data directory and what is not; the service may run. */
export async function checkDirectory(directory: string): Promise<DataReport> {
  return await checkData(resolve(directory))
}

/** Saves what is whole, and moves the rest aside; resolves to where. Throws `directory_in_use`. */
export async function repairDirectory(directory: string): Promise<string> {
  const path = resolve(directory)
  return await runLocked(path, async () => await repairData(path, new Date()))
}

/** Makes a data directory of exported records; resolves to their number. Throws `directory_in_use`, `configuration`. */
export async function importDirectory(
  directory: string,
  records: AsyncIterable<unknown>,
): Promise<number> {
  const path = resolve(directory)
  return await runLocked(path, async () => await importData(path, records))
}

/** Copies a data directory as it is at one moment; the service may run. Resolves to the path of the copy. */
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
