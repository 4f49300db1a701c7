import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRateLimiter } from '../../../src/phone/rate-limit/open-rate-limiter.js'
import { parseRate } from '../../../src/phone/rate-limit/parts-rate.js'
import { SentLog } from '../../../src/phone/rate-limit/sent-log.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { folder } from '../journal/journal-rig.js'

const epoch = 1_800_000_000_000

/** A pace in a directory, on a clock that began at zero with this run. */
async function run(directory: string, rates: readonly string[], time = epoch) {
  const clock = new FakeClock({ auto: true, start: time })
  const warnings: string[] = []
  const pace = await openRateLimiter(rates.map(parseRate), {
    directory,
    ...{ clock, random: () => 0.5 },
    warn: sentence => void warnings.push(sentence),
  })
  if (pace === undefined) throw new Error('no limit')
  const turn = pace.createReservation()
  const send = async (parts = 1) => {
    await turn.reserve({ stop: new AbortController().signal, onWait: () => {} })
    turn.start(parts)
    turn.finish(parts)
    return clock.monotonic()
  }
  return { send, warnings, close: async () => await pace[Symbol.asyncDispose]() }
}

describe('after a restart', () => {
  it('what was sent in the last period is known', async () => {
    const directory = await folder()
    const before = await run(directory, ['1/s', '3/min'])
    expect([await before.send(), await before.send()]).toEqual([0, 1000])
    await before.close()
    const after = await run(directory, ['1/s', '3/min'], epoch + 11_000)
    expect([await after.send(), await after.send()]).toEqual([0, 49_000])
    await after.close()
  })

  it('the space is as it would have been', async () => {
    const directory = await folder()
    const before = await run(directory, ['6/min', '5/d'])
    expect([await before.send(), await before.send(), await before.send()]).toEqual([
      0, 10_000, 20_000,
    ])
    await before.close()
    const after = await run(directory, ['6/min', '5/d'], epoch + 21_000)
    expect(await after.send()).toBe(9000)
    await after.close()
  })

  it('and what is older is not', async () => {
    const directory = await folder()
    const before = await run(directory, ['1/min'])
    await before.send(1)
    await before.close()
    const after = await run(directory, ['1/min'], epoch + 60_000)
    expect(await after.send()).toBe(0)
    await after.close()
    expect((await readFile(join(directory, 'pace'), 'utf8')).split('\n')).toHaveLength(2)
  })

  it('with a clock that was put back, it counts as sent just now', async () => {
    const directory = await folder()
    const before = await run(directory, ['1/min'])
    await before.send()
    await before.close()
    const after = await run(directory, ['1/min'], epoch - 86_400_000)
    expect(await after.send()).toBe(60_000)
    await after.close()
  })

  it('a line that was cut short does no harm', async () => {
    const directory = await folder()
    const before = await run(directory, ['1/min'])
    await before.send()
    await before.close()
    await appendFile(join(directory, 'pace'), '1234abcd {"at":18')
    const after = await run(directory, ['1/min'])
    expect(await after.send()).toBe(60_000)
    expect(after.warnings).toEqual([])
    await after.close()
  })
})

it('a file that cannot be written is told once, and holds nothing up', async () => {
  const directory = await folder()
  await mkdir(join(directory, 'pace'))
  const pace = await run(directory, ['100/s'])
  await pace.send()
  await pace.send()
  await pace.close()
  expect(pace.warnings).toEqual([expect.stringContaining('pace cannot be written')])
})

it('the file does not grow without end', async () => {
  const path = join(await folder(), 'pace')
  let time = epoch
  const options = { longest: parseRate('10/s'), slot: 1, time: () => time, warn: () => {} }
  const file = await SentLog.open(path, { ...options, compactAfter: 500 })
  for (let text = 0; text < 200; text += 1) {
    time += 100
    file.add(1)
    await file.flush()
  }
  await file[Symbol.asyncDispose]()
  expect((await stat(path)).size).toBeLessThan(1200)
  const again = await SentLog.open(path, options)
  expect(again.getSent()).toHaveLength(10)
  await again[Symbol.asyncDispose]()
})

it('what is no pace is begun anew', async () => {
  const directory = await folder()
  await writeFile(join(directory, 'pace'), 'null\n1 2\n{}\n')
  const pace = await run(directory, ['1/min'])
  expect(await pace.send()).toBe(0)
  await pace.close()
})
