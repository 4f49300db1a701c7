import { scanLines } from '../../../../util/files/log-reader.js'
import { TornTail } from '../../../../util/files/torn-tail.js'
import {
  applyEntry,
  type Collections,
  createCollections,
  type Entry,
  isKind,
} from '../records/collections.js'
import { findDataFiles, listFilesToRead } from './data-files.js'
import { decodeLine } from './journal-line.js'

/** What is wrong at a line of a file. */
export interface Damage {
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  /** `torn`: the end of the last file, cut short when the service stopped; no reply depended on it. */
  readonly kind: 'damaged' | 'torn'
  readonly bytes: number
}

/** What was found in a data directory. */
export interface Inspection {
  readonly files: readonly { readonly path: string; readonly lines: number }[]
  readonly damages: readonly Damage[]
  /** Everything in whole lines. */
  readonly data: Collections
}

/** Reads everything in a data directory that is whole, and notes what is not. Changes nothing. */
export async function inspectData(directory: string): Promise<Inspection> {
  const data = createCollections()
  const damages: Damage[] = []
  const files: { path: string; lines: number }[] = []
  for (const { path, last } of listFilesToRead(await findDataFiles(directory))) {
    const found = await inspectFile(path, last, data)
    files.push({ path, lines: found.lines })
    damages.push(...found.damages.map(damage => ({ path, ...damage })))
  }
  return { files, damages, data }
}

interface FileInspection {
  readonly lines: number
  readonly damages: readonly Omit<Damage, 'path'>[]
}

async function inspectFile(
  path: string,
  last: boolean,
  data: Collections,
): Promise<FileInspection> {
  const damages: Omit<Damage, 'path'>[] = []
  let lines = 0
  /** What follows the last whole line; line feeds in a row are one of it. */
  let bad: { line: number; bytes: number }[] = []
  let ending = new TornTail(0)
  const takeBad = (line: Buffer, at: number): void => {
    lines += 1
    if (line.length > 0) ending.add(line, at)
    if (line.length > 0 || bad.at(-1)?.bytes !== 0) bad.push({ line: lines, bytes: line.length })
  }
  const giveUp = (): void => {
    for (const each of bad) damages.push({ ...each, kind: 'damaged' })
  }
  const rest = await scanLines(path, (line, at) => {
    const value = decodeLine(line)
    if (value === undefined) {
      takeBad(line, at)
      return
    }
    giveUp()
    bad = []
    ending = new TornTail(at + line.length + 1)
    lines += 1
    if (lines > 1) applyEntries(data, value)
  })
  if (rest.bytes.length > 0) takeBad(rest.bytes, rest.at)
  if (!last || !ending.isOneWrite || bad[0] === undefined) giveUp()
  else {
    lines = bad[0].line
    damages.push({ line: lines, kind: 'torn', bytes: ending.length })
  }
  return { lines, damages }
}

/** Applies what a line says to the collections. */
export function applyEntries(data: Collections, value: unknown): void {
  if (!Array.isArray(value)) return
  for (const entry of value as Entry[]) if (isKind(data, entry[0])) applyEntry(data, entry)
}
