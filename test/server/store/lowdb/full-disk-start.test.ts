import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../temporary-folder.js'
import { accept, fill, listMessages } from '../rig.js'
import { canLimitFiles, limitFiles } from './file-size-limit.js'
import { copyFolder, firstJournal, openCopy, openStore, withoutPreallocation } from './lowdb-rig.js'
import { readAll } from './store-changes.js'

describe.skipIf(!canLimitFiles)('on a full disk', () => {
  afterEach(() => limitFiles('unlimited'))

  test.each([0, 1])(
    'a start is possible, %i torn; changes work when there is space',
    async torn => {
      const folder = await temporaryFolder()
      const store = await openStore(folder)
      await fill(store)
      const before = await readAll(store)
      const crashed = await copyFolder(folder)
      if (torn === 1) {
        const { length } = withoutPreallocation(await readFile(join(crashed, firstJournal)))
        const file = await open(join(crashed, firstJournal), 'r+')
        await file.write('12345678 [', length)
        await file.close()
      }
      const warnings: string[] = []
      limitFiles(100)
      const again = await openStore(crashed, { warn: sentence => warnings.push(sentence) })
      expect(await readAll(again)).toEqual(before)
      await expect(accept(again, 'm8')).rejects.toMatchObject({ code: 'unavailable' })
      expect(warnings).toEqual([expect.stringContaining(`${crashed} cannot be written (EFBIG)`)])
      limitFiles('unlimited')
      await accept(again, 'm9')
      expect(warnings).toHaveLength(2 + torn)
      await again.close()
      const found = await listMessages(await openCopy(crashed))
      expect(found.map(each => each.id)).toEqual(['m1', 'm3', 'm4', 'm9'])
    },
  )

  test('an end loses nothing, although the manifest cannot be replaced', async () => {
    const folder = await temporaryFolder()
    const store = await openStore(folder)
    await fill(store)
    const before = await readAll(store)
    limitFiles(100)
    await store.close()
    limitFiles('unlimited')
    const warnings: string[] = []
    const again = await openStore(folder, { warn: sentence => warnings.push(sentence) })
    expect(await readAll(again)).toEqual(before)
    expect(warnings).toEqual([])
  })
})
