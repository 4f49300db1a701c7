import { chown, link, lstat, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockDirectory } from '../../../src/util/files/directory-lock.js'
import { temporaryFolder } from '../../temporary-folder.js'

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('Skipped: the owner of files that root creates. It needs root.')

const owner = 65_534

test.runIf(isRoot)("root's files in another user's directory get its owner", async () => {
  const folder = await temporaryFolder()
  const outside = join(folder, 'outside')
  const data = join(folder, 'data')
  await writeFile(outside, '')
  await mkdir(join(data, 'deliveries'), { recursive: true })
  await chown(data, owner, owner)
  const lock = await lockDirectory(data)
  await writeFile(join(data, 'manifest.json'), '')
  await writeFile(join(data, 'deliveries', '1'), '')
  await symlink(outside, join(data, 'symbolic'))
  await link(outside, join(data, 'hard'))
  await lock.release()
  const readOwner = async (name: string) => (await stat(join(data, name))).uid
  const own = ['manifest.json', 'deliveries', 'deliveries/1']
  expect(await Promise.all(own.map(readOwner))).toEqual([owner, owner, owner])
  expect((await stat(outside)).uid).toBe(0)
  expect((await lstat(join(data, 'symbolic'))).uid).toBe(0)
})

test.runIf(isRoot)("root's own directory stays as it is", async () => {
  const folder = await temporaryFolder()
  const lock = await lockDirectory(folder)
  await writeFile(join(folder, 'file'), '')
  await chown(join(folder, 'file'), owner, owner)
  await lock.release()
  expect((await stat(join(folder, 'file'))).uid).toBe(owner)
})
