import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRate } from '../../../src/phone/rate-limit/parts-rate.js'
import { createSeededRandom } from '../../../src/util/crypto/seeded-random.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { createPace } from './rate-limiter-rig.js'

const ones = (count: number) => Array.from({ length: count }, () => 1)

describe('a pace', () => {
  it('lets a tenth go at once, and spaces the rest', async () => {
    const { sendAll } = createPace(['30/min'])
    expect(await sendAll(ones(7))).toEqual([0, 0, 0, 2000, 4000, 6000, 8000])
  })

  it('lets ten parts go at once at most', async () => {
    const { sendAll } = createPace(['1000/min'])
    const times = await sendAll(ones(12))
    expect(times.filter(at => at === 0)).toHaveLength(10)
  })

  it('spaces by a random share, half to one and a half', async () => {
    const { sendAll } = createPace(['6/min'], { random: createSeededRandom(7) })
    const times = await sendAll(ones(7))
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(new Set(gaps).size).toBeGreaterThan(4)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5000)
  })

  it('spaces by parts', async () => {
    const { sendAll } = createPace(['6/min'])
    expect(await sendAll([3, 1, 2, 1])).toEqual([0, 30_000, 40_000, 60_000])
  })

  it('uses what it may: an hour of 30/min has close to 1,800 parts', async () => {
    const { sendAll } = createPace(['30/min'], { random: createSeededRandom(1) })
    const times = await sendAll(ones(1800), 1500)
    expect(times.at(-1)).toBeLessThan(3_600_000 * 1.05)
    expect(times.at(-1)).toBeGreaterThan(3_600_000 * 0.97)
  })

  it('keeps each of several limits: the shortest spaces, the longest ends the day', async () => {
    const { sendAll, told } = createPace(['1/s', '5/min'])
    expect(await sendAll(ones(7))).toEqual([0, 1000, 2000, 3000, 4000, 60_000, 61_000])
    expect(told).toEqual([[56_000, '5/min']])
  })

  it('tells a wait of more than five seconds, once', async () => {
    const { sendAll, told } = createPace(['6/min'])
    await sendAll(ones(3))
    expect(told).toEqual([
      [10_000, '6/min'],
      [10_000, '6/min'],
    ])
    const quick = createPace(['12/min'])
    await quick.sendAll(ones(3))
    expect(quick.told).toEqual([])
  })

  it('knows what was sent before', async () => {
    const before = [
      { at: -50_000, parts: 1 },
      { at: -5000, parts: 4 },
    ]
    const { sendAll } = createPace(['1/s', '5/min'], { before })
    expect(await sendAll([1, 1])).toEqual([10_000, 55_000])
  })
})

it('no limit is passed in any stretch of its length, by loops that send texts of one part', async () => {
  const rate = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('s', 'min', 'h'))
  const rates = fc.array(
    rate.map(([parts, unit]) => `${parts}/${unit}`),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  const world = fc.record({ rates, seed: fc.nat(), loops: fc.integer({ min: 1, max: 4 }) })
  await fc.assert(
    fc.asyncProperty(world, async ({ rates, seed, loops }) => {
      const random = createSeededRandom(seed)
      const { pace, send } = createPace(rates, { random })
      const times: number[] = []
      const loop = async () => {
        const turn = pace.createReservation()
        for (let text = 0; text < 25; text += 1) times.push(await send(turn, 1))
      }
      await Promise.all(Array.from({ length: loops }, loop))
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

describe('loops', () => {
  it('share one pace', async () => {
    const { pace, send } = createPace(['6/min'])
    const times = await Promise.all([0, 1, 2].map(async () => await send(pace.createReservation())))
    expect(times.sort((a, b) => a - b)).toEqual([0, 10_000, 20_000])
  })

  it('wait for one that waits for a message, and go on when there was none', async () => {
    const { pace, clock, waiting } = createPace(['6/min'])
    const [first, second] = [pace.createReservation(), pace.createReservation()]
    await first.reserve(waiting)
    let entered = false
    const entering = second.reserve(waiting).then(() => {
      entered = true
    })
    await new Promise(setImmediate)
    expect(entered).toBe(false)
    first.finish(0)
    await entering
    expect(clock.slept).toEqual([])
  })

  it('have the room of a message that was not sent', async () => {
    const { pace, clock, waiting, send } = createPace(['1/min'])
    const turn = pace.createReservation()
    await turn.reserve(waiting)
    turn.start(3)
    turn.finish(0)
    expect(await send(pace.createReservation())).toBe(0)
    expect(clock.slept).toEqual([])
  })

  it('count what was really sent, not what was expected', async () => {
    const { pace, waiting, send } = createPace(['6/min'])
    const turn = pace.createReservation()
    await turn.reserve(waiting)
    turn.start(1)
    turn.finish(4)
    expect(await send(pace.createReservation())).toBe(40_000)
  })
})

describe('a wait', () => {
  it('ends with a stop', async () => {
    const { pace, stop, waiting, send } = createPace(['1/d'], {
      clock: new FakeClock(),
    })
    await send(pace.createReservation())
    const entering = [pace.createReservation(), pace.createReservation()].map(turn =>
      turn.reserve(waiting),
    )
    stop.abort()
    expect(await Promise.all(entering)).toEqual([false, false])
  })

  it('is none for a message in hand, whose parts count all the same', async () => {
    const { pace, waiting, send } = createPace(['1/min'])
    await send(pace.createReservation())
    const turn = pace.createReservation()
    expect(await turn.reserve({ ...waiting, immediate: true })).toBe(true)
    turn.start(1)
    turn.finish(1)
    expect(await send(pace.createReservation())).toBe(120_000)
  })

  it('is refused by one who asks once', async () => {
    const { pace, waiting, send, told } = createPace(['30/min'])
    for (let text = 0; text < 3; text += 1) await send(pace.createReservation())
    expect(await pace.createReservation().reserve({ ...waiting, once: true })).toBe(false)
    expect(told).toEqual([[2000, '30/min']])
  })
})
