import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRate } from '../../../src/phone/rate-limit/parts-rate.js'
import { createSeededRandom } from '../../../src/util/crypto/seeded-random.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { createLimiter } from './rate-limiter-rig.js'

const ones = (count: number) => Array.from({ length: count }, () => 1)

describe('a rate limiter', () => {
  it('sends a tenth at once and spaces the rest', async () => {
    const { sendAll } = createLimiter(['30/min'])
    expect(await sendAll(ones(7))).toEqual([0, 0, 0, 2000, 4000, 6000, 8000])
  })

  it('sends at most ten parts at once', async () => {
    const { sendAll } = createLimiter(['1000/min'])
    const times = await sendAll(ones(12))
    expect(times.filter(at => at === 0)).toHaveLength(10)
  })

  it('spaces by a random factor of 0.5 to 1.5', async () => {
    const { sendAll } = createLimiter(['6/min'], { random: createSeededRandom(7) })
    const times = await sendAll(ones(7))
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(new Set(gaps).size).toBeGreaterThan(4)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5000)
  })

  it('spaces by parts', async () => {
    const { sendAll } = createLimiter(['6/min'])
    expect(await sendAll([3, 1, 2, 1])).toEqual([0, 30_000, 40_000, 60_000])
  })

  it('uses its limit: an hour of 30/min has almost 1,800 parts', async () => {
    const { sendAll } = createLimiter(['30/min'], { random: createSeededRandom(1) })
    const times = await sendAll(ones(1800), 1500)
    expect(times.at(-1)).toBeLessThan(3_600_000 * 1.05)
    expect(times.at(-1)).toBeGreaterThan(3_600_000 * 0.97)
  })

  it('respects several limits', async () => {
    const { sendAll, waits } = createLimiter(['1/s', '5/min'])
    expect(await sendAll(ones(7))).toEqual([0, 1000, 2000, 3000, 4000, 60_000, 61_000])
    expect(waits).toEqual([[56_000, '5/min']])
  })

  it('reports a wait of more than five seconds once', async () => {
    const { sendAll, waits } = createLimiter(['6/min'])
    await sendAll(ones(3))
    expect(waits).toEqual([
      [10_000, '6/min'],
      [10_000, '6/min'],
    ])
    const quick = createLimiter(['12/min'])
    await quick.sendAll(ones(3))
    expect(quick.waits).toEqual([])
  })

  it('counts what an earlier run sent', async () => {
    const before = [
      { at: -50_000, parts: 1 },
      { at: -5000, parts: 4 },
    ]
    const { sendAll } = createLimiter(['1/s', '5/min'], { before })
    expect(await sendAll([1, 1])).toEqual([10_000, 55_000])
  })
})

it('no limit is exceeded in any period of its length by texts of one part', async () => {
  const rate = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('s', 'min', 'h'))
  const rates = fc.array(
    rate.map(([parts, unit]) => `${parts}/${unit}`),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  const cases = fc.record({ rates, seed: fc.nat(), workers: fc.integer({ min: 1, max: 4 }) })
  await fc.assert(
    fc.asyncProperty(cases, async ({ rates, seed, workers }) => {
      const random = createSeededRandom(seed)
      const { limiter, send } = createLimiter(rates, { random })
      const times: number[] = []
      const work = async () => {
        const reservation = limiter.createReservation()
        for (let text = 0; text < 25; text += 1) times.push(await send(reservation, 1))
      }
      await Promise.all(Array.from({ length: workers }, work))
      times.sort((a, b) => a - b)
      for (const { parts, period } of rates.map(parseRate)) {
        for (const [index, at] of times.entries()) {
          const later = times[index + parts]
          if (later !== undefined) expect(later - at).toBeGreaterThanOrEqual(period)
        }
      }
    }),
    { numRuns: 60 },
  )
})

describe('several workers', () => {
  it('share one limit', async () => {
    const { limiter, send } = createLimiter(['6/min'])
    const times = await Promise.all(
      [0, 1, 2].map(async () => await send(limiter.createReservation())),
    )
    expect(times.sort((a, b) => a - b)).toEqual([0, 10_000, 20_000])
  })

  it('wait for one that has reserved, and continue when it sends nothing', async () => {
    const { limiter, clock, waiting } = createLimiter(['6/min'])
    const [first, second] = [limiter.createReservation(), limiter.createReservation()]
    await first.reserve(waiting)
    let isReserved = false
    const reserving = second.reserve(waiting).then(() => {
      isReserved = true
    })
    await new Promise(setImmediate)
    expect(isReserved).toBe(false)
    first.finish(0)
    await reserving
    expect(clock.slept).toEqual([])
  })

  it('can use the space of a message that was not sent', async () => {
    const { limiter, clock, waiting, send } = createLimiter(['1/min'])
    const reservation = limiter.createReservation()
    await reservation.reserve(waiting)
    reservation.start(3)
    reservation.finish(0)
    expect(await send(limiter.createReservation())).toBe(0)
    expect(clock.slept).toEqual([])
  })

  it('count the parts that were sent, not the estimate', async () => {
    const { limiter, waiting, send } = createLimiter(['6/min'])
    const reservation = limiter.createReservation()
    await reservation.reserve(waiting)
    reservation.start(1)
    reservation.finish(4)
    expect(await send(limiter.createReservation())).toBe(40_000)
  })
})

describe('a wait', () => {
  it('ends with a stop', async () => {
    const { limiter, stop, waiting, send } = createLimiter(['1/d'], {
      clock: new FakeClock(),
    })
    await send(limiter.createReservation())
    const reserving = [limiter.createReservation(), limiter.createReservation()].map(reservation =>
      reservation.reserve(waiting),
    )
    stop.abort()
    expect(await Promise.all(reserving)).toEqual([false, false])
  })

  it('is skipped for a held message, whose parts still count', async () => {
    const { limiter, send } = createLimiter(['1/min'])
    await send(limiter.createReservation())
    const reservation = limiter.createReservation()
    reservation.start(1)
    reservation.finish(1)
    expect(await send(limiter.createReservation())).toBe(120_000)
  })

  it('is not begun with once', async () => {
    const { limiter, waiting, send, waits } = createLimiter(['30/min'])
    for (let text = 0; text < 3; text += 1) await send(limiter.createReservation())
    expect(await limiter.createReservation().reserve({ ...waiting, once: true })).toBe(false)
    expect(waits).toEqual([[2000, '30/min']])
  })
})
