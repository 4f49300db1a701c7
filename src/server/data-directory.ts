import { access, readdir, rmdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { RelayError } from '../errors.js'
import type { OnProgress } from '../util/async/progress.js'
import { lockDirectory } from '../util/files/directory-lock.js'
import { importMarker } from './store/lowdb/files/data-files.js'
import {
  backupData,
  checkData,
  type DamageReport,
  type DataReport,
  type ExportedRecord,
  exportData,
  type ImportOptions,
  importData,
  type RepairReport,
  repairData,
} from './store/lowdb/journal/data-tools.js'

export type { DamageReport, DataReport, ExportedRecord, RepairReport }

/**
 * Reports what a relay's data directory holds and what is damaged; a relay can run on it. Throws
 * `usage` for another path.
 */
export async function checkDirectory(
  directory: string,
  onProgress?: OnProgress,
): Promise<DataReport> {
  return await checkData(await resolveDataDirectory(directory), onProgress)
}

export async function* exportDirectory(
  directory: string,
  onProgress?: OnProgress,
): AsyncGenerator<ExportedRecord> {
  yield* exportData(await resolveDataDirectory(directory), onProgress)
}

/**
 * Writes the undamaged records of a damaged directory to new files and moves the others to a new
 * directory; without damage it changes nothing. Throws `directory_in_use`, and `usage` for another
 * path.
 */
export async function repairDirectory(directory: string): Promise<RepairReport> {
  const path = await resolveDataDirectory(directory)
  return await runLocked(path, async () => await repairData(path, new Date()))
}

/**
 * Creates a data directory from the lines of an export. Resolves to the number of records. Throws
 * `directory_in_use`, `configuration`, and `invalid_parameter` with the wrong lines as `details`;
 * after an error or an abort the directory is as it was.
 */
export async function importDirectory(
  directory: string,
  lines: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<number> {
  const path = resolve(directory)
  await assertNoData(path)
  const { parseExport } = await import('./store/lowdb/import/parse-export.js')
  const data = await parseExport(lines)
  await runInNewDirectory(path, async () => {
    await assertNoData(path)
    await importData(path, data, options)
  })
  return Object.values(data).reduce((sum, records) => sum + records.size, 0)
}

async function assertNoData(path: string): Promise<void> {
  if (!(await hasDataFiles(path))) return
  throw new RelayError('configuration', `${path} contains data.`, {
    hint: 'Choose a new directory with --data.',
  })
}

/**
 * Runs `work` in a locked data directory of a relay, and removes it after an error if it did not
 * exist.
 */
async function runInNewDirectory(path: string, work: () => Promise<void>): Promise<void> {
  const isNew = await access(path).then(
    () => false,
    () => true,
  )
  try {
    await runLocked(path, work)
  } catch (error) {
    if (isNew) await rmdir(path).catch(() => {})
    throw error
  }
}

/**
 * Copies a relay's data directory at one moment; a relay can run on it. Resolves to the copy's
 * path. Throws `configuration`, and `usage` for another path.
 */
export async function backupDirectory(
  directory: string,
  target: string,
  onProgress?: OnProgress,
): Promise<string> {
  const path = resolve(target)
  await backupData(await resolveDataDirectory(directory), path, onProgress)
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

const dataFileName = /^(?:manifest\.json|(?:snapshot|journal)-\d{6,}\.ndjson)$/

async function hasDataFiles(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => [])
  return includeDataFile(names)
}

/**
 * An import into the data directory that was killed has left at most a snapshot without a manifest.
 */
function includeDataFile(names: readonly string[]): boolean {
  const found = names.filter(name => dataFileName.test(name))
  if (!names.includes(importMarker)) return found.length > 0
  return found.includes('manifest.json') || found.some(name => name.startsWith('journal-'))
}

async function assertDataDirectory(path: string): Promise<void> {
  const names = await readdir(path).catch(cause => {
    const { code } = cause as NodeJS.ErrnoException
    const problem = problems[code ?? '']
    throw problem === undefined ? cause : notDataDirectoryError(`${path} ${problem}.`, cause)
  })
  if (includeDataFile(names)) return
  const reason = names.includes(importMarker) ? ': an import into it was interrupted' : ''
  throw notDataDirectoryError(`${path} is not a data directory${reason}.`)
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a directory',
}

function notDataDirectoryError(message: string, cause?: unknown): RelayError {
  return new RelayError('usage', message, {
    hint:
      'Name the directory of `smsrelay serve` with --data: it contains manifest.json and files ' +
      'such as journal-000001.ndjson.',
    cause,
  })
}
