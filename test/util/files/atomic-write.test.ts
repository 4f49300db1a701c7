import { join } from 'node:path'
import { expect, test } from 'vitest'
import { syncDirectory } from '../../../src/util/files/atomic-write.js'
import { temporaryFolder } from '../../temporary-folder.js'

test('a directory is synced, and a missing one is an error', async () => {
  const folder = await temporaryFolder()
  expect(await syncDirectory(folder)).toBeUndefined()
  await expect(syncDirectory(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
})
