import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifestName } from '../../../../../src/server/store/lowdb/files/manifest.js'
import {
  checkData,
  exportData,
  importData,
  repairData,
} from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { inspectData } from '../../../../../src/server/store/lowdb/journal/inspect-data.js'
import { createCollections } from '../../../../../src/server/store/lowdb/records/collections.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, acceptAll, addUp, draftWith, listEvents, listMessages, start } from '../../rig.js'
import { openStore, readFiles } from '../lowdb-rig.js'

test('an import continues after the highest number of purged events', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  await acceptAll(store, ['m1', 'm2', 'm3'])
  await addUp(store.events.purge(start + 1, 1e9))
  const copy = await temporaryFolder()
  await importData(copy, (await inspectData(folder)).data)
  const again = await openStore(copy)
  const { cursor } = await again.subscriptions.create(draftWith('s1'))
  await accept(again, 'm4')
  expect(cursor).toBe(3)
  expect((await listEvents(again)).map(each => each.seq)).toEqual([4])
})

test('records of an unknown kind are refused by every reader and stay', async () => {
  const folder = await temporaryFolder()
  const data = { ...createCollections(), other: new Map([['k', { id: 'k' }]]) }
  await importData(folder, data)
  const before = await readFiles(folder)
  const readers = [
    async () => await checkData(folder),
    async () => await repairData(folder, new Date(start)),
    async () => await exportData(folder).next(),
    async () => await openStore(folder),
  ]
  for (const read of readers) {
    await expect(read()).rejects.toMatchObject({
      code: 'damaged_data',
      message: expect.stringContaining('other'),
    })
  }
  expect(await readFiles(folder)).toEqual(before)
})

describe('a repair with a journal that the manifest does not name', () => {
  /** A directory with a snapshot and a journal, and the manifest before the snapshot was made. */
  async function rollBack(): Promise<string> {
    const folder = await temporaryFolder()
    const first = await openStore(folder)
    await acceptAll(first, ['m1', 'm2'])
    await first.close()
    const manifest = await readFile(join(folder, manifestName))
    await (await openStore(folder, { compactAbove: 0 })).close()
    const second = await openStore(folder)
    await acceptAll(second, ['m3', 'm4'])
    await second.close()
    await writeFile(join(folder, manifestName), manifest)
    return folder
  }

  test('saves its changes if they follow the newest snapshot', async () => {
    const folder = await rollBack()
    const { damages, movedTo } = await repairData(folder, new Date(start))
    expect(damages.map(each => each.cause)).toContain('other')
    expect(movedTo).toBeDefined()
    expect(await listMessages(await openStore(folder))).toHaveLength(4)
  })

  test('puts it aside if its changes do not follow', async () => {
    const folder = await temporaryFolder()
    const store = await openStore(folder)
    await acceptAll(store, ['m1', 'm2'])
    await store.close()
    const other = await rollBack()
    const journal = (await readdir(other)).find(name => name.startsWith('journal')) ?? ''
    await cp(join(other, journal), join(folder, 'journal-000007.ndjson'))
    const { movedTo = '' } = await repairData(folder, new Date(start))
    expect(await readdir(movedTo)).toContain('journal-000007.ndjson')
    expect(await listMessages(await openStore(folder))).toHaveLength(2)
  })
})
