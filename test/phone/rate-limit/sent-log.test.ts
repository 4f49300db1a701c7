import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRateLimiter } from '../../../src/phone/rate-limit/open-rate-limiter.js'
import { parseRate } from '../../../src/phone/rate-limit/parts-rate.js'
import { SentLog } from '../../../src/phone/rate-limit/sent-log.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FakeClock } from '../../util/async/fake-clock.js'

const epoch = 1_800_000_000_000

/** Opens a rate limiter in a directory, with a clock that starts at a time. */
async function open(directory: string, rates: readonly string[], time = epoch) {
  const clock = new FakeClock({ auto: true, start: time })
  const warnings: string[] = []
  const limiter = await openRateLimiter(rates.map(parseRate), {
    directory,
    ...{ clock, random: () => 0.5 },
    warn: sentence => void warnings.push(sentence),
  })
  if (limiter === undefined) throw new Error('no limit')
  const reservation = limiter.createReservation()
  const send = async (parts = 1) => {
    await reservation.reserve({ stop: new AbortController().signal, onWait: () => {} })
    reservation.start(parts)
    reservation.finish(parts)
    return clock.monotonic()
  }
  return { send, warnings, close: async () => await limiter[Symbol.asyncDispose]() }
}

describe('after a restart', () => {
  it('the parts of the last period count', async () => {
    const directory = await temporaryFolder()
    const before = await open(directory, ['1/s', '3/min'])
    expect([await before.send(), await before.send()]).toEqual([0, 1000])
    await before.close()
    const after = await open(directory, ['1/s', '3/min'], epoch + 11_000)
    expect([await after.send(), await after.send()]).toEqual([0, 49_000])
    await after.close()
  })

  it('the spacing continues', async () => {
    const directory = await temporaryFolder()
    const before = await open(directory, ['6/min', '5/d'])
    expect([await before.send(), await before.send(), await before.send()]).toEqual([
      0, 10_000, 20_000,
    ])
    await before.close()
    const after = await open(directory, ['6/min', '5/d'], epoch + 21_000)
    expect(await after.send()).toBe(9000)
    await after.close()
  })

  it('older parts do not count', async () => {
    const directory = await temporaryFolder()
    const before = await open(directory, ['1/min'])
    await before.send(1)
    await before.close()
    const after = await open(directory, ['1/min'], epoch + 60_000)
    expect(await after.send()).toBe(0)
    await after.close()
    expect((await readFile(join(directory, 'pace'), 'utf8')).split('\n')).toHaveLength(2)
  })

  it('parts with a time in the future count as sent now', async () => {
    const directory = await temporaryFolder()
    const before = await open(directory, ['1/min'])
    await before.send()
    await before.close()
    const after = await open(directory, ['1/min'], epoch - 86_400_000)
    expect(await after.send()).toBe(60_000)
    await after.close()
  })

  it('a torn last line is ignored', async () => {
    const directory = await temporaryFolder()
    const before = await open(directory, ['1/min'])
    await before.send()
    await before.close()
    await appendFile(join(directory, 'pace'), '1234abcd {"at":18')
    const after = await open(directory, ['1/min'])
    expect(await after.send()).toBe(60_000)
    expect(after.warnings).toEqual([])
    await after.close()
  })
})

it('a file that cannot be written is reported once and does not stop sending', async () => {
  const directory = await temporaryFolder()
  await mkdir(join(directory, 'pace'))
  const limiter = await open(directory, ['100/s'])
  await limiter.send()
  await limiter.send()
  await limiter.close()
  expect(limiter.warnings).toEqual([expect.stringContaining(join(directory, 'pace'))])
})

it('the file is rewritten when it has grown', async () => {
  const path = join(await temporaryFolder(), 'pace')
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
  const reopened = await SentLog.open(path, options)
  expect(reopened.getSent()).toHaveLength(10)
  await reopened[Symbol.asyncDispose]()
})

it('invalid lines are dropped', async () => {
  const directory = await temporaryFolder()
  await writeFile(join(directory, 'pace'), 'null\n1 2\n{}\n')
  const limiter = await open(directory, ['1/min'])
  expect(await limiter.send()).toBe(0)
  await limiter.close()
})
