import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { syncDirectory } from '../../../src/util/files/atomic-write.js'

test('a directory is synced, and a missing one is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-files-'))
  onTestFinished(async () => await rm(folder, { recursive: true }))
  expect(await syncDirectory(folder)).toBeUndefined()
  await expect(syncDirectory(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
})
