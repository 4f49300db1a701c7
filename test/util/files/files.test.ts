import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { syncDirectory } from '../../../src/util/files/files.js'

test('a directory is made durable, and one that is not there is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-files-'))
  onTestFinished(async () => await rm(folder, { recursive: true }))
  expect(await syncDirectory(folder)).toBeUndefined()
  await expect(syncDirectory(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
})
