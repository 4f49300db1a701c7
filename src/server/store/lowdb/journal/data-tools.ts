import { copyFile, mkdir, open, readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RelayError } from '../../../../errors.js'
import { syncDirectory } from '../../../../util/files/atomic-write.js'
import { isMissingFile } from '../../../../util/files/file-error.js'
import { getContentLength } from '../../../../util/files/log-reader.js'
import {
  applyEntry,
  createCollections,
  isKind,
  type Kind,
  type WholeEntry,
} from '../records/collections.js'
import { findDataFiles, getDataFilePath, listFilesToRead } from './data-files.js'
import { type Damage, inspectData } from './inspect-data.js'
import { writeSnapshot } from './snapshot-file.js'

export interface DataReport {
  readonly files: readonly { readonly file: string; readonly lines: number }[]
  readonly damages: readonly (Omit<Damage, 'path'> & { readonly file: string })[]
  readonly records: Readonly<Record<string, number>>
}

/** One record of an exported data directory. */
export interface ExportedRecord {
  readonly kind: Kind
  readonly key: string
  readonly record: unknown
}

const maxReadAttempts = 5

/** Checks a data directory; a relay may use it. Changes nothing. */
export async function checkData(directory: string): Promise<DataReport> {
  const { files, damages, data } = await retryDuringCompaction(directory, inspectData)
  const records = Object.entries(data).map(([kind, map]) => [kind, map.size])
  return {
    files: files.map(({ path, lines }) => ({ file: basename(path), lines })),
    damages: damages.map(({ path, ...rest }) => ({ file: basename(path), ...rest })),
    records: Object.fromEntries(records),
  }
}

/**
 * Writes all readable records to a new snapshot and moves the old files to a new directory, whose
 * path it resolves to. The caller must have locked the data directory.
 */
export async function repairData(directory: string, now: Date): Promise<string> {
  const files = await findDataFiles(directory)
  const { data } = await inspectData(directory)
  const damagedDirectory = join(directory, `damaged-${now.toISOString().replace(/[-:.]/g, '')}`)
  await mkdir(damagedDirectory, { mode: 0o700 })
  const next = Math.max(files.snapshot, files.journals.at(-1) ?? 0) + 1
  await writeSnapshot(getDataFilePath(directory, 'snapshot', next), data)
  for (const { path } of listFilesToRead(files))
    await rename(path, join(damagedDirectory, basename(path)))
  await syncDirectory(directory)
  return damagedDirectory
}

/** Yields all records of a data directory; a relay may use it. Throws `damaged_data`. */
export async function* exportData(directory: string): AsyncGenerator<ExportedRecord> {
  const { data, damages } = await retryDuringCompaction(directory, inspectData)
  const damage = damages.find(each => each.kind === 'damaged')
  if (damage !== undefined) {
    throw new RelayError('damaged_data', `${damage.path} is damaged at line ${damage.line}.`, {
      hint: 'Save the readable records with `smsrelay data repair`, then export again.',
    })
  }
  for (const [kind, map] of Object.entries(data) as [Kind, Map<string, unknown>][]) {
    for (const [key, record] of map) yield { kind, key, record }
  }
}

/**
 * Creates a data directory from exported records; resolves to their number. Throws
 * `invalid_parameter` and `configuration`.
 */
export async function importData(
  directory: string,
  records: AsyncIterable<unknown>,
): Promise<number> {
  const { snapshot, journals } = await findDataFiles(directory)
  if (snapshot > 0 || journals.length > 0) {
    throw new RelayError('configuration', `${directory} contains data.`, {
      hint: 'Choose a new directory with --data.',
    })
  }
  const data = createCollections()
  let count = 0
  for await (const value of records) {
    count += 1
    const { kind, key, record } = (value ?? {}) as Partial<ExportedRecord>
    if (!isKind(data, kind) || typeof key !== 'string' || typeof record !== 'object') {
      throw new RelayError('invalid_parameter', `Line ${count} is not an exported record.`)
    }
    applyEntry(data, [kind, key, record] as WholeEntry)
  }
  await writeSnapshot(getDataFilePath(directory, 'snapshot', 1), data)
  return count
}

/** Copies a data directory as it is at one moment; a relay may use it. */
export async function backupData(directory: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  if ((await readdir(target)).length > 0) {
    throw new RelayError('configuration', `${target} is not empty.`, {
      hint: 'Choose a new directory for the backup.',
    })
  }
  await retryDuringCompaction(directory, async () => {
    for (const { path } of listFilesToRead(await findDataFiles(directory))) {
      await copyDurably(path, join(target, basename(path)))
    }
  })
  await syncDirectory(target)
}

/** Copies a data file with the content that it has now: a journal may grow during the copy. */
async function copyDurably(from: string, to: string): Promise<void> {
  const source = await open(from, 'r')
  const length = await getContentLength(source).finally(async () => await source.close())
  await copyFile(from, to)
  const file = await open(to, 'r+')
  await file.truncate(length)
  await file.chmod(0o600)
  await file.sync()
  await file.close()
}

/** Repeats `read` if a compaction deleted a data file during it. */
async function retryDuringCompaction<T>(
  directory: string,
  read: (directory: string) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read(directory)
    } catch (error) {
      if (!isMissingFile(error)) throw error
      if (attempt < maxReadAttempts) continue
      throw new RelayError('configuration', `There is no data directory ${directory}.`, {
        hint: 'Name the data directory of the relay with --data.',
      })
    }
  }
}
