import { expect, test } from 'vitest'
import { monitorTurns, type Turn } from '../../../src/util/async/turn-monitor.js'

/** The longest turn while `work` runs. */
async function measureLongest(work: () => void): Promise<Turn> {
  const turns: Turn[] = []
  let resolveNext = (): void => {}
  const monitor = monitorTurns(turn => {
    turns.push(turn)
    resolveNext()
  }, 5)
  monitor.start()
  work()
  await new Promise<void>(resolve => {
    resolveNext = resolve
  })
  await monitor.stop()
  return turns.reduce((a, b) => (b.elapsed > a.elapsed ? b : a))
}

test('a turn that computes is reported with its time', async () => {
  const { elapsed, computed } = await measureLongest(() => {
    const { user, system } = process.cpuUsage()
    const used = (): number => {
      const now = process.cpuUsage({ user, system })
      return now.user + now.system
    }
    const from = performance.now()
    // Other threads of the process use processor time too.
    while (used() < 100_000 || performance.now() - from < 100);
  })
  expect(elapsed).toBeGreaterThan(80)
  expect(computed).toBeGreaterThan(80)
})

test('a turn that waits for the system uses no processor time', async () => {
  const { elapsed, computed } = await measureLongest(() => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  })
  expect(elapsed).toBeGreaterThan(180)
  expect(computed).toBeLessThan(100)
})
