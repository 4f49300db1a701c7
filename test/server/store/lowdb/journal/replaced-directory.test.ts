import { cp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, acceptAll, listMessages } from '../../rig.js'
import { openStore, readFiles } from '../lowdb-rig.js'

test('a store writes nothing into a directory that took the place of its own', async () => {
  const parent = await temporaryFolder()
  const [folder, moved] = [join(parent, 'data'), join(parent, 'moved')]
  const warnings: string[] = []
  const options = { compactAbove: 1500, warn: (text: string) => warnings.push(text) }
  const store = await openStore(folder, options)
  await accept(store, 'm1')
  await rename(folder, moved)
  await cp(moved, folder, { recursive: true })
  const before = await readFiles(folder)
  await acceptAll(store, ['m2', 'm3', 'm4', 'm5', 'm6'])
  await store.close()
  expect(await readFiles(folder)).toEqual(before)
  expect(warnings).toEqual([expect.stringContaining(folder)])
  expect((await checkData(moved)).damages).toEqual([])
  expect(await listMessages(await openStore(moved))).toHaveLength(6)
})
