import { stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory } from '../../../src/util/files/make-directory.js'
import { temporaryFolder } from '../../temporary-folder.js'

test('creates a directory and those above it, and leaves an existing one', async () => {
  const folder = await temporaryFolder()
  await makeDirectory(join(folder, 'a', 'b'))
  await makeDirectory(join(folder, 'a', 'b'), 0o755)
  for (const path of ['a', 'a/b']) {
    expect((await stat(join(folder, path))).mode & 0o777).toBe(0o700)
  }
})

test('rejects a path through a file and through a link that leads nowhere', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), '')
  await symlink(join(folder, 'missing'), join(folder, 'link'))
  await expect(makeDirectory(join(folder, 'file'))).rejects.toThrow('EEXIST')
  await expect(makeDirectory(join(folder, 'file', 'a'))).rejects.toThrow('ENOTDIR')
  await expect(makeDirectory(join(folder, 'link', 'a'))).rejects.toThrow('EEXIST')
})

test.runIf(process.platform === 'linux')(
  'rejects a path in a file system without new directories',
  async () => {
    await expect(makeDirectory('/proc/smsrelay/data')).rejects.toThrow('ENOENT')
  },
)
