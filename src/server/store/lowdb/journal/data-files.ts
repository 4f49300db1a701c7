import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RelayError } from '../../../../errors.js'

/** A snapshot has all of the store's records at one moment, a journal the changes after that. */
export type FileKind = 'snapshot' | 'journal'

/**
 * The journal and snapshot files of a store. Snapshot K has the changes of all journals below K.
 */
export interface DataFiles {
  readonly directory: string
  /** Number of the newest snapshot; 0 without a snapshot. */
  readonly snapshot: number
  /** Numbers of the journals that follow the snapshot, in order and without a gap. */
  readonly journals: readonly number[]
  /** Names of the files before the newest snapshot, and of unfinished snapshots. */
  readonly stale: readonly string[]
}

/** Finds a store's journal and snapshot files. Throws `damaged_data` if one is missing. */
export async function findDataFiles(directory: string): Promise<DataFiles> {
  const names = await readdir(directory)
  const snapshot = parseNumbers(names, 'snapshot').at(-1) ?? 0
  const journals = parseNumbers(names, 'journal').filter(number => number >= snapshot)
  const first = Math.max(snapshot, 1)
  const gap = journals.findIndex((number, index) => number !== first + index)
  if (gap !== -1)
    throw missingFileError(directory, snapshot === 0 && gap === 0 ? undefined : first + gap)
  const stale = names.filter(name => isStale(name, snapshot))
  return { directory, snapshot, journals, stale }
}

export function getDataFilePath(directory: string, kind: FileKind, number: number): string {
  return join(directory, `${kind}-${String(number).padStart(6, '0')}.ndjson`)
}

/** The store's files to read, oldest first; only the last may end with a torn line. */
export function listFilesToRead(files: DataFiles): { path: string; isLast: boolean }[] {
  const { directory, snapshot, journals } = files
  const first =
    snapshot > 0 ? [{ path: getDataFilePath(directory, 'snapshot', snapshot), isLast: false }] : []
  const rest = journals.map((number, index) => ({
    path: getDataFilePath(directory, 'journal', number),
    isLast: index === journals.length - 1,
  }))
  return [...first, ...rest]
}

function parseNumbers(names: readonly string[], kind: FileKind): number[] {
  const matches = names.map(name => /^(snapshot|journal)-(\d{6,})\.ndjson$/.exec(name))
  return matches
    .filter(match => match?.[1] === kind)
    .map(match => Number(match?.[2]))
    .sort((a, b) => a - b)
}

function isStale(name: string, snapshot: number): boolean {
  if (/^snapshot-\d+\.ndjson\.tmp$/.test(name)) return true
  const number = /^(?:snapshot|journal)-(\d+)\.ndjson$/.exec(name)?.[1]
  return number !== undefined && Number(number) < snapshot
}

function missingFileError(directory: string, journal: number | undefined): RelayError {
  const file = journal === undefined ? 'The snapshot' : `Journal ${journal}`
  return new RelayError('damaged_data', `${file} in ${directory} is missing.`, {
    hint: 'Restore the data directory from a backup. Nothing was changed.',
  })
}
