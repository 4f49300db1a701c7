import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ServiceNotifier } from '../../../src/cli/service/service-notifier.js'
import { stopRelay } from '../../../src/cli/service/stop-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FakeClock } from '../../util/async/fake-clock.js'

const pid = 4711

/** A notifier whose messages go to a file instead of systemd's socket. */
async function createNotifier({ variables = {}, isStuck = async () => false } = {}) {
  const path = join(await temporaryFolder(), 'messages')
  const file = await open(path, 'w')
  onTestFinished(async () => await file.close())
  const names = [...Array.from({ length: file.fd - 3 }, () => 'other'), 'notify']
  const listed = { LISTEN_FDS: String(names.length), LISTEN_FDNAMES: names.join(':') }
  const passed = { LISTEN_PID: String(pid), ...listed }
  const clock = new FakeClock()
  const notifier = new ServiceNotifier({ env: { ...passed, ...variables }, clock, pid }, isStuck)
  const read = () => readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return { notifier, clock, read }
}

test('systemd learns that the relay is ready, reloads and stops', async () => {
  const { notifier, read } = await createNotifier()
  notifier.setReady('http://127.0.0.1:8080')
  const ready = ['READY=1', 'STATUS=Listening on http://127.0.0.1:8080']
  expect(read()).toEqual(ready)
  const reload = notifier.wrapReload(async () => {
    expect(read().at(-1)).toBe('RELOADING=1')
    throw new Error('wrong settings')
  })
  await expect(reload()).rejects.toThrow('wrong settings')
  notifier.setStopping()
  expect(read()).toEqual([...ready, 'RELOADING=1', 'READY=1', 'STOPPING=1'])
})

const watchdog = { WATCHDOG_USEC: '60000000', WATCHDOG_PID: String(pid) }

test('the watchdog gets a sign of life every 30 seconds', async () => {
  const { notifier, clock, read } = await createNotifier({ variables: watchdog })
  notifier.setReady('http://127.0.0.1:8080')
  await clock.pass(29_000)
  expect(read()).not.toContain('WATCHDOG=1')
  await clock.pass(61_000)
  expect(read().filter(line => line === 'WATCHDOG=1')).toHaveLength(3)
  notifier.close()
  await clock.pass(60_000)
  expect(read().filter(line => line === 'WATCHDOG=1')).toHaveLength(3)
})

test('the watchdog gets none while a change is stuck, and one as soon as it is not', async () => {
  let stuck = true
  const isStuck = async () => stuck
  const { notifier, clock, read } = await createNotifier({ variables: watchdog, isStuck })
  notifier.setReady('http://127.0.0.1:8080')
  await clock.pass(120_000)
  expect(read()).not.toContain('WATCHDOG=1')
  stuck = false
  await clock.pass(2000)
  expect(read()).toContain('WATCHDOG=1')
  notifier.close()
  expect(clock.pending).toBe(0)
})

test('the watchdog gets one while the store does not say whether a change is stuck', async () => {
  const isStuck = async () => await Promise.reject(new Error('The database cannot be reached.'))
  const { notifier, clock, read } = await createNotifier({ variables: watchdog, isStuck })
  notifier.setReady('http://127.0.0.1:8080')
  await clock.pass(31_000)
  expect(read()).toContain('WATCHDOG=1')
  notifier.close()
})

test.each([
  ['another process', { LISTEN_PID: '1' }],
  ['no descriptor of this name', { LISTEN_FDNAMES: 'http:metrics' }],
])('with %s it sends nothing', async (_, variables) => {
  const { notifier, read } = await createNotifier({ variables })
  notifier.setReady('http://127.0.0.1:8080')
  notifier.setStopping()
  expect(read()).toEqual([])
})

test('a socket that is gone does not end the relay', async () => {
  const names = { LISTEN_FDS: '10001', LISTEN_FDNAMES: `${'x:'.repeat(10_000)}notify` }
  const env = { LISTEN_PID: String(pid), ...names }
  const notifier = new ServiceNotifier({ env, clock: new FakeClock(), pid }, async () => false)
  expect(() => notifier.setStopping()).not.toThrow()
})

test('a relay that does not stop within 10 seconds is reported', async () => {
  const clock = new FakeClock()
  let late = 0
  const onLate = () => {
    late += 1
  }
  let end = () => {}
  const stop = () => new Promise<void>(resolve => (end = resolve))
  const stopped = stopRelay({ stop }, { clock, onLate })
  clock.advance(9999)
  expect(late).toBe(0)
  clock.advance(1)
  expect(late).toBe(1)
  end()
  await stopped
  expect(clock.pending).toBe(0)
})
