import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, fill, listEvents, listMessages, readContent } from '../../rig.js'
import { copyFolder, firstJournal, openStore, readFiles } from '../lowdb-rig.js'

const snapshot = 'snapshot-000002.ndjson'
const secondJournal = 'journal-000002.ndjson'

/** The files before and after a compaction, and the content of both. */
async function compact() {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  await fill(store)
  const content = await readContent(store)
  await store.close()
  const before = await readFiles(folder)
  const again = await openStore(folder, { compactAbove: 0 })
  await again.close()
  const after = await readFiles(folder)
  return { content, files: new Map([...before, ...after]), after }
}

async function writeFolder(files: Iterable<readonly [string, Buffer | string]>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes)
  return folder
}

test('a journal above the limit is compacted when the store is opened', async () => {
  const { content, after } = await compact()
  expect([...after.keys()]).toEqual([secondJournal, snapshot])
  expect(await readContent(await openStore(await writeFolder(after)))).toEqual(content)
})

test('a journal within the limit is continued', async () => {
  const folder = await temporaryFolder()
  for (const id of ['m1', 'm2', 'm3']) {
    const store = await openStore(folder)
    await accept(store, id)
    await store.close()
  }
  expect(await readdir(folder)).toEqual([firstJournal])
})

test('the limit is a number of bytes', async () => {
  const { files } = await compact()
  const journal = files.get(firstJournal) as Buffer
  const within = await writeFolder([[firstJournal, journal]])
  await openStore(within, { compactAbove: journal.length })
  expect(await readdir(within)).toEqual([firstJournal])
  const above = await writeFolder([[firstJournal, journal]])
  await (await openStore(above, { compactAbove: journal.length - 1 })).close()
  expect(await readdir(above)).toEqual([secondJournal, snapshot])
})

describe('an interrupted compaction', () => {
  const halfOf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2)

  test.each<[string, (files: (name: string) => Buffer) => [string, Buffer][]]>([
    [
      'within the new snapshot',
      file => [
        [firstJournal, file(firstJournal)],
        [`${snapshot}.tmp`, halfOf(file(snapshot))],
      ],
    ],
    [
      'before the new snapshot has its name',
      file => [
        [firstJournal, file(firstJournal)],
        [`${snapshot}.tmp`, file(snapshot)],
      ],
    ],
    [
      'before the new journal',
      file => [
        [firstJournal, file(firstJournal)],
        [snapshot, file(snapshot)],
      ],
    ],
    [
      'before the new journal, after the deletion of the old one',
      file => [[snapshot, file(snapshot)]],
    ],
    [
      'within the header of the new journal',
      file => [
        [firstJournal, file(firstJournal)],
        [snapshot, file(snapshot)],
        [secondJournal, halfOf(file(secondJournal))],
      ],
    ],
    [
      'with an empty new journal',
      file => [
        [firstJournal, file(firstJournal)],
        [snapshot, file(snapshot)],
        [secondJournal, Buffer.alloc(0)],
      ],
    ],
    [
      'before the deletion of the old journal',
      file => [
        [firstJournal, file(firstJournal)],
        [snapshot, file(snapshot)],
        [secondJournal, file(secondJournal)],
      ],
    ],
  ])('%s loses nothing', async (_, filesOf) => {
    const { content, files } = await compact()
    const folder = await writeFolder(filesOf(name => files.get(name) as Buffer))
    for (const compactAbove of [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0]) {
      const store = await openStore(folder, { compactAbove })
      expect(await readContent(store)).toEqual(content)
      await store.close()
    }
    const store = await openStore(folder)
    await accept(store, 'm9')
    const more = await readContent(store)
    expect(await readContent(await openStore(await copyFolder(folder)))).toEqual(more)
    expect(await listMessages(store)).toHaveLength(4)
    expect(new Set((await listEvents(store)).map(event => event.seq)).size).toBe(5)
  })

  test('during a second one loses nothing', async () => {
    const { after } = await compact()
    const folder = await writeFolder(after)
    const store = await openStore(folder)
    await accept(store, 'm9', { text: 'x'.repeat(20_000) })
    const content = await readContent(store)
    await store.close()
    const next = await copyFolder(folder)
    await (await openStore(next, { compactAbove: 0 })).close()
    const name = 'snapshot-000003.ndjson'
    await writeFile(join(folder, name), (await readFiles(next)).get(name) as Buffer)
    expect(await readContent(await openStore(folder))).toEqual(content)
  })
})

test('a compaction leaves one snapshot and one journal', async () => {
  const { files } = await compact()
  const folder = await writeFolder([...files, [`${snapshot}.tmp`, 'cut sh']])
  for (const compactAbove of [0, 0, 0]) {
    const store = await openStore(folder, { compactAbove })
    await accept(store, `m${Math.random()}`)
    await store.close()
  }
  expect((await readdir(folder)).map(name => name.slice(0, 4)).sort()).toEqual(['jour', 'snap'])
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
  const { files, content } = await compact()
  const folder = await writeFolder([[firstJournal, files.get(firstJournal) as Buffer]])
  await mkdir(join(folder, `${snapshot}.tmp`))
  const warnings: string[] = []
  const warn = (sentence: string) => warnings.push(sentence)
  await expect(openStore(folder, { compactAbove: 0, warn })).rejects.toThrow()
  await rm(join(folder, `${snapshot}.tmp`), { recursive: true })
  expect(await readContent(await openStore(folder, { compactAbove: 0 }))).toEqual(content)
})
