import {
  applyEntry,
  type Collections,
  type Entry,
  emptyCollections,
  isKind,
} from './collections.js'
import { filesToRead, findDataFiles } from './data-files.js'
import { decodeLine } from './line.js'
import { forEachLine } from './line-reader.js'

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
  const data = emptyCollections()
  const damages: Damage[] = []
  const files: { path: string; lines: number }[] = []
  for (const { path, last } of filesToRead(await findDataFiles(directory))) {
    const { lines, bad } = await inspectFile(path, data)
    files.push({ path, lines })
    for (const { line, bytes } of bad) {
      const kind = last && line === lines ? 'torn' : 'damaged'
      damages.push({ path, line, kind, bytes })
    }
  }
  return { files, damages, data }
}

async function inspectFile(
  path: string,
  data: Collections,
): Promise<{ lines: number; bad: { line: number; bytes: number }[] }> {
  const bad: { line: number; bytes: number }[] = []
  let lines = 0
  const rest = await forEachLine(path, line => {
    lines += 1
    const value = decodeLine(line)
    if (value === undefined) bad.push({ line: lines, bytes: line.length })
    else if (lines > 1) applyEntries(data, value)
  })
  if (rest.length > 0) bad.push({ line: ++lines, bytes: rest.length })
  return { lines, bad }
}

/** Applies what a line says to the collections. */
export function applyEntries(data: Collections, value: unknown): void {
  if (!Array.isArray(value)) return
  for (const entry of value as Entry[]) if (isKind(data, entry[0])) applyEntry(data, entry)
}
