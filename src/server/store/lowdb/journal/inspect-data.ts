import { readLog } from '../../../../util/files/log-reader.js'
import { applyEntries, type Collections, createCollections } from '../records/collections.js'
import { findDataFiles, listFilesToRead } from './data-files.js'

/** A damaged or torn line of a data file. */
export interface Damage {
  readonly path: string
  /** Number of the damaged line, counted from 1. */
  readonly line: number
  /** `torn`: the tail of the last data file, from a write that never completed; nothing is lost. */
  readonly kind: 'damaged' | 'torn'
  readonly bytes: number
}

export interface Inspection {
  readonly files: readonly { readonly path: string; readonly lines: number }[]
  readonly damages: readonly Damage[]
  readonly data: Collections
}

/** Inspects a data directory: reads the whole lines and lists the others. Changes nothing. */
export async function inspectData(directory: string): Promise<Inspection> {
  const data = createCollections()
  const damages: Damage[] = []
  const files: { path: string; lines: number }[] = []
  for (const { path, isLast } of listFilesToRead(await findDataFiles(directory))) {
    const { lines, damage, torn } = await readLog(
      path,
      { allowTornTail: isLast },
      (value, line) => {
        if (line > 1) applyEntries(data, value)
      },
    )
    files.push({ path, lines })
    damages.push(...damage.map(each => ({ path, ...each, kind: 'damaged' }) as const))
    if (torn > 0) damages.push({ path, line: lines, kind: 'torn', bytes: torn })
  }
  return { files, damages, data }
}
