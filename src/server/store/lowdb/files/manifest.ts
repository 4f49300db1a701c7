import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RelayError } from '../../../../errors.js'
import { PromiseQueue } from '../../../../util/async/promise-queue.js'
import { writeFileAtomic } from '../../../../util/files/atomic-write.js'
import { decodeChecksumLine, encodeChecksumLine } from '../../../../util/files/checksum-line.js'
import { isMissingFile } from '../../../../util/files/file-error.js'
import { assertKnownFormat, formatVersion, requiredProgram } from './data-file-format.js'

export interface SnapshotEntry {
  readonly name: string
  readonly records: number
  readonly length: number
  readonly checksum: string
  readonly last: number
}

/**
 * A journal as the manifest names it: exactly what it has, or if it is open the least that it has.
 */
export interface JournalEntry {
  readonly name: string
  readonly first: number
  /** Sequence number of the last line in the store's journal; `first - 1` without a line. */
  readonly last: number
  readonly length: number
  readonly checksum: string
  readonly open?: true
}

export interface Manifest {
  readonly snapshot?: SnapshotEntry
  readonly journals: readonly JournalEntry[]
}

export const manifestName = 'manifest.json'

interface StoredManifest extends Manifest {
  readonly smsrelay: 'manifest'
  readonly format: number
  /** The oldest program that reads the store's data directory. */
  readonly program: string
}

export async function readManifest(directory: string): Promise<Manifest | 'missing' | 'damaged'> {
  const path = join(directory, manifestName)
  const bytes = await readFile(path).catch(error => {
    if (isMissingFile(error)) return undefined
    throw error
  })
  if (bytes === undefined) return 'missing'
  const isOneLine = bytes.indexOf(10) === bytes.length - 1
  const value = isOneLine ? decodeChecksumLine(bytes.subarray(0, -1)) : undefined
  const stored = value as Partial<StoredManifest> | undefined
  if (stored?.smsrelay !== 'manifest' || typeof stored.format !== 'number') return 'damaged'
  assertKnownFormat(path, stored as StoredManifest)
  const { snapshot, journals = [] } = stored
  return snapshot === undefined ? { journals } : { snapshot, journals }
}

/** Replaces the manifest; this makes the files that it names the data of the directory. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  await writeFileAtomic(join(directory, manifestName), encodeManifest(manifest))
}

function encodeManifest(manifest: Manifest): string {
  const stored: StoredManifest = {
    smsrelay: 'manifest',
    format: formatVersion,
    program: requiredProgram,
    ...manifest,
  }
  return encodeChecksumLine(stored)
}

/** The manifest of an open data directory, with replacements one after the other. */
export class ManifestFile {
  readonly directory: string
  #current: Manifest
  readonly #queue = new PromiseQueue()
  /** Inode of the data directory at the manifest's first replacement. */
  #inode: string | undefined

  constructor(directory: string, current: Manifest) {
    this.directory = directory
    this.#current = current
  }

  get current(): Manifest {
    return this.#current
  }

  /** Replaces the manifest; after an error it is the one before. */
  async update(change: (current: Manifest) => Manifest): Promise<void> {
    await this.#queue.run(async () => {
      await this.assertSameDirectory()
      const next = change(this.#current)
      await writeManifest(this.directory, next).catch(async error => {
        if (!(await this.#isReplacedBy(next))) throw error
      })
      this.#current = next
    })
  }

  async assertSameDirectory(): Promise<void> {
    const { dev, ino } = await stat(this.directory)
    const inode = `${dev} ${ino}`
    this.#inode ??= inode
    if (inode === this.#inode) return
    throw new RelayError('unavailable', `${this.directory} was replaced by another directory.`, {
      hint: 'Restart the relay.',
    })
  }

  /** After an error of the directory's sync the file has been replaced nevertheless. */
  async #isReplacedBy(manifest: Manifest): Promise<boolean> {
    const path = join(this.directory, manifestName)
    return (await readFile(path, 'utf8').catch(() => '')) === encodeManifest(manifest)
  }
}
