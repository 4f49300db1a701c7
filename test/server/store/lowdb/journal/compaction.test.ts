import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifestName } from '../../../../../src/server/store/lowdb/files/manifest.js'
import { compactJournals } from '../../../../../src/server/store/lowdb/journal/compact-journals.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, fill, readContent } from '../../rig.js'
import { copyFolder, firstJournal, openStore, readFiles, readFilesAsTheyAre } from '../lowdb-rig.js'

const snapshot = 'snapshot-000002.ndjson'
const secondJournal = 'journal-000002.ndjson'

type Files = ReadonlyMap<string, Buffer>

/** The content of a store, and its files at each step of a compaction. */
async function compact() {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  await fill(store)
  const content = await readContent(store)
  await store.close()
  const before = await readFiles(folder)
  let begun: Files = new Map()
  let merged: Files = new Map()
  const again = await openStore(folder, {
    compactAbove: 0,
    runCompaction: async job => {
      begun = await readFilesAsTheyAre(folder)
      const snapshotEntry = await compactJournals(job)
      merged = await readFilesAsTheyAre(folder)
      return snapshotEntry
    },
  })
  await again.close()
  return { content, before, begun, merged, after: await readFiles(folder) }
}

async function writeFolder(files: Iterable<readonly [string, Buffer | string]>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes)
  return folder
}

test('a journal above the limit is compacted when the store is opened', async () => {
  const { content, after } = await compact()
  expect([...after.keys()]).toEqual([secondJournal, manifestName, snapshot])
  expect(await readContent(await openStore(await writeFolder(after)))).toEqual(content)
})

test('a journal within the limit is continued', async () => {
  const folder = await temporaryFolder()
  for (const id of ['m1', 'm2', 'm3']) {
    const store = await openStore(folder)
    await accept(store, id)
    await store.close()
  }
  expect((await readdir(folder)).sort()).toEqual([firstJournal, manifestName])
})

test('the limit is a number of bytes', async () => {
  const { before } = await compact()
  const { length } = before.get(firstJournal) as Buffer
  const within = await writeFolder(before)
  await openStore(within, { compactAbove: length })
  expect((await readdir(within)).sort()).toEqual([firstJournal, manifestName])
  const above = await writeFolder(before)
  await (await openStore(above, { compactAbove: length - 1 })).close()
  expect((await readdir(above)).sort()).toEqual([secondJournal, manifestName, snapshot])
})

test('a compaction leaves one snapshot and one journal', async () => {
  const { before } = await compact()
  const folder = await writeFolder([...before, [`${snapshot}.tmp`, 'cut sh']])
  for (const compactAbove of [0, 0, 0]) {
    const store = await openStore(folder, { compactAbove })
    await accept(store, `m${Math.random()}`)
    await store.close()
  }
  expect((await readdir(folder)).map(name => name.slice(0, 4)).sort()).toEqual([
    'jour',
    'mani',
    'snap',
  ])
})

test('a snapshot of more than a million bytes is read as it was written', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  const text = 'ü'.repeat(100_000)
  await Promise.all(Array.from({ length: 12 }, (_, at) => accept(store, `m${at}`, { text })))
  const content = await readContent(store)
  await store.close()
  const again = await openStore(folder, { compactAbove: 1 << 20 })
  expect(await readContent(again)).toEqual(content)
  await again.close()
  expect(await readdir(folder)).toContain(snapshot)
  expect(await readContent(await openStore(await copyFolder(folder)))).toEqual(content)
})

test('a directory in place of a file is an error and loses nothing', async () => {
  const { before, content } = await compact()
  const folder = await writeFolder(before)
  await mkdir(join(folder, `${snapshot}.tmp`))
  const warnings: string[] = []
  const warn = (sentence: string) => warnings.push(sentence)
  await expect(openStore(folder, { compactAbove: 0, warn })).rejects.toThrow()
  await rm(join(folder, `${snapshot}.tmp`), { recursive: true })
  expect(await readContent(await openStore(folder, { compactAbove: 0 }))).toEqual(content)
})
