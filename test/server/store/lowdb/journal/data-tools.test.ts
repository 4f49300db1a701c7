import { expect, test } from 'vitest'
import {
  checkData,
  exportData,
  importData,
  repairData,
} from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { inspectData } from '../../../../../src/server/store/lowdb/journal/inspect-data.js'
import { createCollections } from '../../../../../src/server/store/lowdb/records/collections.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, acceptAll, addUp, draftWith, listEvents, start } from '../../rig.js'
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
