import { copyFile, link, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RelayError } from '../../../../errors.js'
import type { OnProgress } from '../../../../util/async/progress.js'
import { syncDirectory } from '../../../../util/files/atomic-write.js'
import { isMissingFile } from '../../../../util/files/file-error.js'
import { makeDirectory } from '../../../../util/files/make-directory.js'
import { assertUndamaged, type Damage, describeDamage } from '../files/damage.js'
import { getDataFileName, importMarker, listFilesToRead } from '../files/data-files.js'
import { type Manifest, manifestName, writeManifest } from '../files/manifest.js'
import { writeSnapshot } from '../files/snapshot-file.js'
import type { Collections, Kind } from '../records/collections.js'
import {
  type DataReading,
  type Inspection,
  inspectData,
  measureDataFiles,
  verifyData,
} from './inspect-data.js'

export interface DataReport {
  readonly files: readonly { readonly file: string; readonly lines: number }[]
  readonly damages: readonly DamageReport[]
  readonly records: Readonly<Record<string, number>>
}

export interface DamageReport extends Omit<Damage, 'path'> {
  readonly file: string
  readonly message: string
}

export interface RepairReport {
  /**
   * The directory with the store's files from before; undefined if there was no damage: nothing was
   * changed.
   */
  readonly movedTo?: string
  readonly damages: readonly DamageReport[]
  readonly records: Readonly<Record<string, number>>
}

export interface ExportedRecord {
  readonly kind: Kind
  readonly key: string
  readonly record: unknown
}

export async function checkData(directory: string, onProgress?: OnProgress): Promise<DataReport> {
  const inspection = await withDirectory(directory, path => inspectData(path, { onProgress }))
  const { read, damages, data } = inspection
  return {
    files: read.map(({ path, lines }) => ({ file: basename(path), lines })),
    damages: damages.map(toDamageReport),
    records: countRecords(data),
  }
}

function toDamageReport(damage: Damage): DamageReport {
  const { path, ...rest } = damage
  return { file: basename(path), ...rest, message: describeDamage(damage) }
}

function countRecords(data: Collections): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(data).map(([kind, map]) => [kind, map.size]))
}

/**
 * Writes the readable records of a damaged directory to a new snapshot and moves the old files to a
 * new directory. The caller must have locked the data directory.
 */
export async function repairData(directory: string, now: Date): Promise<RepairReport> {
  const inspection = await inspectData(directory)
  const { damages } = inspection
  const { files, data, last } = await chooseReading(directory, inspection)
  const report = { damages: damages.map(toDamageReport), records: countRecords(data) }
  if (damages.every(each => each.kind === 'torn')) return report
  const movedTo = join(directory, `damaged-${now.toISOString().replace(/[-:.]/g, '')}`)
  await mkdir(movedTo, { mode: 0o700 })
  const path = join(directory, getDataFileName('snapshot', files.nextNumber))
  const snapshot = await writeSnapshot(path, last, data)
  const named = [...listFilesToRead(inspection.files), ...listFilesToRead(files)]
  const old = new Set([...named, ...listUnnamed(inspection)])
  for (const file of [...old, join(directory, manifestName)])
    await linkOrCopy(file, join(movedTo, basename(file)))
  await syncDirectory(movedTo)
  await writeManifest(directory, { snapshot, journals: [] })
  for (const file of old) await rm(file, { force: true })
  await syncDirectory(directory)
  return { movedTo, ...report }
}

/**
 * The reading of a directory with less damage: with the manifest, or by the names of the files. A
 * disk that lost the last replacement of the manifest leaves an old one, which names too little.
 */
async function chooseReading(directory: string, inspection: Inspection): Promise<Inspection> {
  if (listUnnamed(inspection).length === 0) return inspection
  const byNames = await inspectData(directory, { useManifest: false })
  return byNames.damages.length <= inspection.damages.length ? byNames : inspection
}

/** Journals with changes that the manifest does not name. */
function listUnnamed({ files, damages }: Inspection): string[] {
  const others = damages.filter(({ cause }) => cause === 'other').map(({ path }) => path)
  return others.filter(path => !listFilesToRead(files).includes(path))
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to).catch(async () => await copyFile(from, to))
  } catch (error) {
    if (!isMissingFile(error)) throw error
  }
}

/**
 * Yields all records of a data directory, and reports how many; a relay may use it. Throws
 * `damaged_data`.
 */
export async function* exportData(
  directory: string,
  onProgress?: OnProgress,
): AsyncGenerator<ExportedRecord> {
  const { data, damages } = await withDirectory(directory, path => inspectData(path))
  assertUndamaged(damages)
  const total = Object.values(countRecords(data)).reduce((sum, count) => sum + count, 0)
  let finished = 0
  for (const [kind, map] of Object.entries(data) as [Kind, Map<string, unknown>][]) {
    for (const [key, record] of map) {
      yield { kind, key, record }
      finished += 1
      onProgress?.(finished, total)
    }
  }
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

/**
 * Creates a data directory with these records. After an error or an abort it has no data; after a
 * kill it has {@link importMarker}, and the manifest if the import is complete.
 */
export async function importData(
  directory: string,
  data: Collections,
  { signal, onProgress }: ImportOptions = {},
): Promise<void> {
  const marker = join(directory, importMarker)
  const path = join(directory, getDataFileName('snapshot', 1))
  await writeFile(marker, '', { mode: 0o600, flush: true })
  await syncDirectory(directory)
  try {
    const snapshot = await writeSnapshot(path, 0, data, onProgress)
    signal?.throwIfAborted()
    await writeManifest(directory, { snapshot, journals: [] })
  } catch (error) {
    await rm(path, { force: true })
    await rm(marker, { force: true })
    throw error
  }
  await rm(marker)
}

/**
 * Copies an undamaged data directory as it is at one moment; a relay may use it. Reports the bytes
 * that are checked, then those that are copied.
 */
export async function backupData(
  directory: string,
  target: string,
  onProgress?: OnProgress,
): Promise<void> {
  const onCheck: OnProgress = (bytes, total) => onProgress?.(bytes, 2 * total)
  const onCopy: OnProgress = (bytes, total) => onProgress?.(total + bytes, 2 * total)
  for (let attempt = 1; ; attempt += 1) {
    const reading = await withDirectory(directory, path =>
      verifyData(path, { onProgress: onCheck }),
    )
    assertUndamaged(reading.damages)
    if (attempt === 1) await createTarget(target)
    try {
      await copyData(reading, target, onCopy)
      return
    } catch (error) {
      // A compaction deleted a data file during the copy.
      if (!isMissingFile(error) || attempt === maxCopyAttempts) throw error
    }
  }
}

async function createTarget(target: string): Promise<void> {
  await makeDirectory(target)
  if ((await readdir(target)).length === 0) return
  throw new RelayError('configuration', `${target} is not empty.`, {
    hint: 'Choose a new directory for the backup.',
  })
}

const maxCopyAttempts = 5

/** Copies the content that the files had when they were read: a journal may grow meanwhile. */
async function copyData(
  reading: DataReading,
  target: string,
  onProgress: OnProgress,
): Promise<void> {
  const { files, snapshot, journals } = reading
  const total = await measureDataFiles(files)
  let copied = 0
  for (const name of await readdir(target)) await rm(join(target, name))
  for (const path of listFilesToRead(files)) {
    const entry = journals.find(each => each.name === basename(path))
    await copyDurably(path, join(target, basename(path)), entry?.length)
    copied += entry?.length ?? snapshot?.length ?? 0
    onProgress(copied, total)
  }
  const manifest: Manifest = snapshot === undefined ? { journals } : { snapshot, journals }
  if (files.manifest !== undefined) await writeManifest(target, manifest)
  await syncDirectory(target)
}

/** Copies the first `length` bytes (@default all) of the store's data file. */
async function copyDurably(from: string, to: string, length?: number): Promise<void> {
  await copyFile(from, to)
  const file = await open(to, 'r+')
  if (length !== undefined) await file.truncate(length)
  await file.chmod(0o600)
  await file.sync()
  await file.close()
}

async function withDirectory<T>(
  directory: string,
  read: (directory: string) => Promise<T>,
): Promise<T> {
  try {
    return await read(directory)
  } catch (error) {
    if (!isMissingFile(error)) throw error
    throw new RelayError('configuration', `There is no data directory ${directory}.`, {
      hint: 'Name the data directory of the relay with --data.',
    })
  }
}
