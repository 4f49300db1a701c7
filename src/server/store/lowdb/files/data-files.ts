import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissingFile } from '../../../../util/files/file-error.js'
import { getContentLength } from '../../../../util/files/log-reader.js'
import { createDamage, type Damage } from './damage.js'
import {
  type JournalEntry,
  type Manifest,
  manifestName,
  readManifest,
  type SnapshotEntry,
} from './manifest.js'

/** A snapshot has all records at one moment, a journal the changes after that. */
export type FileKind = 'snapshot' | 'journal'

export interface DataFile<E extends SnapshotEntry | JournalEntry> {
  readonly path: string
  readonly entry: E | undefined
}

/** The files of a store. Snapshot K has the changes of all journals below K. */
export interface DataFiles {
  readonly directory: string
  readonly manifest: Manifest | undefined
  readonly snapshot: DataFile<SnapshotEntry> | undefined
  readonly journals: readonly DataFile<JournalEntry>[]
  readonly damages: readonly Damage[]
  /** Names of files that are unfinished or replaced by newer ones. */
  readonly stale: readonly string[]
  readonly nextNumber: number
}

/** An empty file that says that an import into this directory has begun. */
export const importMarker = 'import.tmp'

interface FoundFile {
  readonly name: string
  readonly kind: FileKind
  readonly number: number
  readonly hasLines: boolean
}

type Layout = Omit<DataFiles, 'directory' | 'nextNumber'>

export interface FindOptions {
  /** Whether the manifest counts; otherwise it is taken for damaged. @default true */
  readonly useManifest?: boolean
}

export async function findDataFiles(
  directory: string,
  { useManifest = true }: FindOptions = {},
): Promise<DataFiles> {
  const names = await readdir(directory)
  const manifest = useManifest ? await readManifest(directory) : 'damaged'
  const named = new Set(typeof manifest === 'string' ? [] : listNames(manifest))
  const dataFiles = names.flatMap(name => parseName(name) ?? [])
  const others = dataFiles.filter(({ name }) => !named.has(name))
  const found = await Promise.all(others.map(file => probeFile(directory, file)))
  found.sort((a, b) => a.number - b.number)
  const layout =
    typeof manifest === 'string'
      ? layOutByNames(directory, found, manifest === 'damaged')
      : layOutByManifest(directory, found, manifest)
  const unfinished = names.filter(
    name => /^(?:snapshot-\d+\.ndjson|manifest\.json)\.tmp$/.test(name) || name === importMarker,
  )
  return {
    ...layout,
    directory,
    stale: [...layout.stale, ...unfinished],
    nextNumber: Math.max(0, ...dataFiles.map(file => file.number)) + 1,
  }
}

export function getDataFileName(kind: FileKind, number: number): string {
  return `${kind}-${String(number).padStart(6, '0')}.ndjson`
}

export function getFileNumber(name: string): number {
  return parseName(name)?.number ?? 0
}

/** Paths of the store's files to read, oldest first. */
export function listFilesToRead({ snapshot, journals }: DataFiles): string[] {
  return [...(snapshot === undefined ? [] : [snapshot]), ...journals].map(({ path }) => path)
}

function parseName(name: string): Pick<FoundFile, 'name' | 'kind' | 'number'> | undefined {
  const match = /^(snapshot|journal)-(\d{6,})\.ndjson$/.exec(name)
  return match === null ? undefined : { name, kind: match[1] as FileKind, number: Number(match[2]) }
}

function listNames({ snapshot, journals }: Manifest): string[] {
  return [...(snapshot === undefined ? [] : [snapshot]), ...journals].map(({ name }) => name)
}

function layOutByManifest(
  directory: string,
  others: readonly FoundFile[],
  manifest: Manifest,
): Layout {
  const { snapshot, journals } = manifest
  const oldest = snapshot === undefined ? 0 : getFileNumber(snapshot.name)
  const hasUnknownChanges = ({ kind, number, hasLines }: FoundFile): boolean =>
    kind === 'journal' && number >= oldest && hasLines
  const toFile = <E extends { name: string }>(entry: E): { path: string; entry: E } => ({
    path: join(directory, entry.name),
    entry,
  })
  return {
    manifest,
    snapshot: snapshot && toFile(snapshot),
    journals: journals.map(toFile),
    damages: others
      .filter(hasUnknownChanges)
      .map(({ name }) => createDamage(join(directory, name), 'other')),
    stale: others.filter(file => !hasUnknownChanges(file)).map(({ name }) => name),
  }
}

/** The best guess without a valid manifest, for a repair. */
function layOutByNames(
  directory: string,
  found: readonly FoundFile[],
  isManifestDamaged: boolean,
): Layout {
  // A crash before the first manifest leaves a journal without a line, but never a snapshot.
  const hasData = found.some(file => file.hasLines || file.kind === 'snapshot')
  if (!isManifestDamaged && !hasData) {
    const stale = found.map(({ name }) => name)
    return { manifest: undefined, snapshot: undefined, journals: [], damages: [], stale }
  }
  const snapshot = found.findLast(file => file.kind === 'snapshot')
  const journals = found.filter(
    file => file.kind === 'journal' && file.number >= (snapshot?.number ?? 0),
  )
  const manifestPath = join(directory, manifestName)
  const toFile = ({ name }: FoundFile) => ({ path: join(directory, name), entry: undefined })
  return {
    manifest: undefined,
    snapshot: snapshot && toFile(snapshot),
    journals: journals.map(toFile),
    damages: [
      createDamage(manifestPath, isManifestDamaged ? 'line' : 'missing', 1),
      ...findGap(directory, snapshot?.number ?? 0, journals),
    ],
    stale: [],
  }
}

function findGap(directory: string, snapshot: number, journals: readonly FoundFile[]): Damage[] {
  const first = Math.max(snapshot, 1)
  const gap = journals.findIndex(({ number }, index) => number !== first + index)
  if (gap === -1) return []
  const kind = snapshot === 0 && gap === 0 ? 'snapshot' : 'journal'
  return [createDamage(join(directory, getDataFileName(kind, first + gap)), 'missing')]
}

async function probeFile(
  directory: string,
  name: Pick<FoundFile, 'name' | 'kind' | 'number'>,
): Promise<FoundFile> {
  try {
    const file = await open(join(directory, name.name), 'r')
    try {
      const length = await getContentLength(file)
      const head = Buffer.alloc(512)
      const { bytesRead } = await file.read(head, 0, head.length, 0)
      const end = head.subarray(0, bytesRead).indexOf(10)
      return { ...name, hasLines: end !== -1 && length > end + 1 }
    } finally {
      await file.close()
    }
  } catch (error) {
    // Another process has deleted the data file in the meantime.
    if (isMissingFile(error)) return { ...name, hasLines: false }
    throw error
  }
}
