import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome, program } from '../program.js'

/** Starts a relay as systemd does: descriptor 3 is connected to the service manager. */
async function startAsService(...flags: string[]) {
  const home = await makeHome()
  const words = [process.execPath, program, 'serve', '--port', '0', ...flags]
  const argv = ['-c', 'LISTEN_PID=$$ exec "$@"', 'sh', ...words, '--data', join(home.dir, 'data')]
  const passed = { LISTEN_FDS: '1', LISTEN_FDNAMES: 'notify', WATCHDOG_USEC: '400000' }
  const child = spawn('sh', argv, {
    env: { ...home.env, ...passed },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  const lines = createInterface({ input: child.stdio[3] as Readable })[Symbol.asyncIterator]()
  const read = async () => (await lines.next()).value as string
  return { child, closed, read }
}

test('systemd learns when the relay is ready, works, reloads and stops', async () => {
  const { child, closed, read } = await startAsService()
  expect(await read()).toBe('READY=1')
  expect(await read()).toMatch(/^STATUS=Listening on http:\/\/127\.0\.0\.1:\d+$/)
  expect(await read()).toBe('WATCHDOG=1')
  child.kill('SIGHUP')
  const reloaded: string[] = []
  while (reloaded.at(-1) !== 'READY=1') reloaded.push(await read())
  expect(reloaded.filter(line => line !== 'WATCHDOG=1')).toEqual(['RELOADING=1', 'READY=1'])
  child.kill('SIGTERM')
  const rest: string[] = []
  while (rest.at(-1) !== 'STOPPING=1') rest.push(await read())
  expect(rest.filter(line => line !== 'WATCHDOG=1')).toEqual(['STOPPING=1'])
  expect((await closed)[0]).toBe(0)
})
