import { chmod, lstat, mkdir, readdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readProfile, saveProfile } from '../../src/cli/profile/profile.js'
import { openFileJournal } from '../../src/phone/journal/file-journal.js'
import { Engine } from '../../src/server/store/lowdb/engine/engine.js'
import { writeSnapshot } from '../../src/server/store/lowdb/files/snapshot-file.js'
import { lockDirectory } from '../../src/util/files/directory-lock.js'
import { createRelay } from '../quick-relay.js'
import { temporaryFolder } from '../temporary-folder.js'

const posix = process.platform !== 'win32'
const profile = { url: 'http://127.0.0.1:1', secret_key: 'srs_x' }

/** All paths from a directory on whose mode is not 0700 (directories) or 0600 (files). */
async function tooOpen(directory: string): Promise<string[]> {
  const names = ['.', ...(await readdir(directory, { recursive: true }))]
  const modes = await Promise.all(
    names.map(async name => {
      const entry = await lstat(join(directory, name))
      const mode = entry.mode & 0o777
      return mode === (entry.isDirectory() ? 0o700 : 0o600) ? [] : [`${name} ${mode.toString(8)}`]
    }),
  )
  return modes.flat()
}

describe.skipIf(!posix)('under a umask that takes nothing away, only the owner may read', () => {
  let mask = 0
  beforeAll(() => {
    mask = process.umask(0)
  })
  afterAll(() => {
    process.umask(mask)
  })

  test('the data directory, its journal and its lock, during and after a run', async () => {
    const folder = join(await temporaryFolder(), 'new', 'data')
    const relay = await createRelay({ dataDir: folder, port: 0 })
    onTestFinished(async () => await relay.stop())
    await relay.start()
    await relay.administration.createAccount({ email: 'ann@example.com' })
    const names = await readdir(folder)
    expect(names.filter(name => name.startsWith('journal-'))).toHaveLength(1)
    expect(names.filter(name => name.startsWith('lock-'))).toHaveLength(1)
    expect(await tooOpen(folder)).toEqual([])
    await relay.stop()
    expect(await tooOpen(folder)).toEqual([])
    expect(await tooOpen(join(folder, '..'))).toEqual([])
  })

  test('a snapshot, and all files of a compaction', async () => {
    const folder = join(await temporaryFolder(), 'data')
    const engine = await Engine.open(folder, { compactAbove: 1 })
    for (const key of ['a', 'b', 'c']) {
      await engine.transact(transaction =>
        transaction.put('block', key, { scope: '*', number: key, at: 1 }),
      )
    }
    await writeSnapshot(join(folder, 'snapshot-999999.ndjson'), 0, engine.data)
    await engine.close()
    expect((await readdir(folder)).some(name => name.startsWith('snapshot-'))).toBe(true)
    expect(await tooOpen(folder)).toEqual([])
  })

  test('the lock in a directory that others can read: they cannot connect to it', async () => {
    const folder = await temporaryFolder()
    await chmod(folder, 0o777)
    const lock = await lockDirectory(folder)
    onTestFinished(async () => await lock.release())
    const [name = ''] = await readdir(folder)
    expect((await lstat(join(folder, name))).mode & 0o777).toBe(0o600)
    expect(process.umask(0)).toBe(0)
  })

  test('a profile and its directory', async () => {
    const folder = join(await temporaryFolder(), 'config')
    await saveProfile('default', profile, folder)
    await saveProfile('second', profile, folder)
    expect(await tooOpen(folder)).toEqual([])
  })

  test('a profile in a file that all could read before', async () => {
    const folder = join(await temporaryFolder(), 'config')
    await mkdir(folder, { mode: 0o700 })
    await writeFile(join(folder, 'config.json'), '{}', { mode: 0o666 })
    await saveProfile('default', profile, folder)
    expect(await readProfile('default', folder)).toMatchObject(profile)
    expect(await tooOpen(folder)).toEqual([])
  })

  test("a phone's journal and its tokens", async () => {
    const folder = join(await temporaryFolder(), 'phone', 'journal')
    const credentials = { user: 'srs_x', password: 'srp_x' }
    await using journal = await openFileJournal(folder, { credentials })
    await journal.saveToken('srt_x')
    expect((await readdir(folder)).length).toBeGreaterThan(2)
    expect(await tooOpen(join(folder, '..'))).toEqual([])
  })
})

test.skipIf(!posix)('a data directory that others may look into is said to be one', async () => {
  const dataDir = await temporaryFolder()
  const warnings: string[] = []
  const warn = (sentence: string) => warnings.push(sentence)
  const first = await createRelay({ dataDir, port: 0 }, { warn })
  await first.stop()
  expect(warnings).toEqual([])
  await chmod(dataDir, 0o755)
  const second = await createRelay({ dataDir, port: 0 }, { warn })
  await second.stop()
  expect(warnings).toEqual([expect.stringContaining(`chmod 700 ${dataDir}`)])
})

test('a lock accepts its owner', async () => {
  const folder = await temporaryFolder()
  const lock = await lockDirectory(folder)
  onTestFinished(async () => await lock.release())
  const [name = ''] = await readdir(folder)
  const served = new Promise(resolve => lock.serve(resolve))
  const socket = connect(join(folder, name))
  await served
  socket.destroy()
})
