import { mkdir, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockListenerKey } from '../../../../src/cli/hook/listen/temporary-subscriptions.js'
import { temporaryFolder } from '../../../temporary-folder.js'

const none: ReadonlySet<string> = new Set()

async function lock(stateDir: string, keys = none) {
  const locked = await lockListenerKey(stateDir, keys)
  onTestFinished(async () => await locked.release(true))
  return locked
}

test('the directory of a killed listener is removed after a day, no other', async () => {
  const stateDir = await temporaryFolder()
  const running = await lock(stateDir)
  const names = ['listen-forgotten-01', 'listen-known-000001', 'other-forgotten-01']
  for (const name of names) await mkdir(join(stateDir, name))
  const old = new Date(Date.now() - 24 * 60 * 60_000)
  for (const name of await readdir(stateDir)) await utimes(join(stateDir, name), old, old)
  await mkdir(join(stateDir, 'listen-new-00000001'))
  const taken = await lock(stateDir, new Set(['known-000001']))
  expect(taken.key).toBe('known-000001')
  expect((await readdir(stateDir)).sort()).toEqual(
    [`listen-${running.key}`, 'listen-known-000001', 'listen-new-00000001', names[2]].sort(),
  )
})

test('a directory is removed only while its listener holds the lock', async () => {
  const stateDir = await temporaryFolder()
  const first = await lockListenerKey(stateDir, none)
  const released = first.release(false)
  const second = await lock(stateDir, new Set([first.key]))
  await released
  expect(await readdir(stateDir)).toEqual([`listen-${second.key}`])
})
