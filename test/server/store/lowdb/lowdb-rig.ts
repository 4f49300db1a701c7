import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { manifestName } from '../../../../src/server/store/lowdb/files/manifest.js'
import { compactJournals } from '../../../../src/server/store/lowdb/journal/compact-journals.js'
import {
  type LowdbStoreOptions,
  openLowdbStore,
} from '../../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { start } from '../rig.js'

export const firstJournal = 'journal-000001.ndjson'

/** Opens a store that is closed at the end of the test. */
export async function openStore(folder: string, options: LowdbStoreOptions = {}): Promise<Store> {
  const store = await openLowdbStore(folder, {
    now: () => start,
    runCompaction: compactJournals,
    ...options,
  })
  onTestFinished(async () => await store.close())
  return store
}

export async function createStore(options: LowdbStoreOptions = {}): Promise<Store> {
  return await openStore(await temporaryFolder(), options)
}

/** Opens a copy of the files: what a process would find after a crash now. */
export async function openCopy(folder: string, options: LowdbStoreOptions = {}): Promise<Store> {
  return await openStore(await copyFolder(folder), options)
}

/** Copies a folder as it is at one moment, even if a compaction ends during the copy. */
export async function copyFolder(folder: string): Promise<string> {
  const describe = async () => [
    ...(await readdir(folder)),
    await readFile(join(folder, manifestName), 'utf8').catch(() => ''),
  ]
  for (;;) {
    const copy = await temporaryFolder()
    const before = await describe()
    const done = await cp(folder, copy, { recursive: true }).then(
      () => true,
      () => false,
    )
    if (done && (await describe()).join() === before.join()) return copy
  }
}

/** The files of a folder by name, without preallocation. */
export async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = await readFilesAsTheyAre(folder)
  return new Map([...files].map(([name, bytes]) => [name, withoutPreallocation(bytes)]))
}

/** The files of a folder by name. */
export async function readFilesAsTheyAre(folder: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(folder)).sort()
  const bytes = await Promise.all(names.map(name => readFile(join(folder, name))))
  return new Map(names.map((name, at) => [name, bytes[at] as Buffer]))
}

export function withoutPreallocation(bytes: Buffer): Buffer {
  let length = bytes.length
  while (length > 1 && bytes[length - 1] === 10 && bytes[length - 2] === 10) length -= 1
  return bytes.subarray(0, length)
}

/** Length of the first journal without preallocation, in bytes. */
export async function getJournalLength(folder: string): Promise<number> {
  return (await readFiles(folder)).get(firstJournal)?.length ?? 0
}

/**
 * Stores as they are after a crash at the end of each line that the first journal has from `begin`
 * on, and within it.
 */
export async function* openCuts(
  folder: string,
  begin: number,
): AsyncGenerator<{ readonly end: number; readonly store: Store }> {
  const copy = await copyFolder(folder)
  const journal = (await readFiles(copy)).get(firstJournal) as Buffer
  for (const end of listCuts(journal, begin)) {
    const preallocated = Buffer.alloc(journal.length, 10)
    await writeFile(
      join(copy, firstJournal),
      Buffer.concat([journal.subarray(0, end), preallocated]),
    )
    const store = await openLowdbStore(await copyFolder(copy))
    yield { end, store }
    await store.close()
  }
}

/** Every end of a line from `begin` on, and a place within each line. */
function listCuts(journal: Buffer, begin: number): number[] {
  const cuts = [begin]
  for (let at = begin; ; ) {
    const end = journal.indexOf(10, at) + 1
    if (end === 0) return cuts
    cuts.push((at + end) >> 1, end)
    at = end
  }
}
