import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LowdbLimits } from '../../../../src/server/store/lowdb/limits/lowdb-limits.js'
import { getKind, minute, openThrottle, second } from './throttle-rig.js'

describe('an address from which many accounts are guessed', () => {
  /** Fails once with each of so many accounts, and waits out each delay. */
  async function failWithMany({ failAfterWaits }: ReturnType<typeof openThrottle>, times: number) {
    for (let n = 0; n < times; n += 1) await failAfterWaits(1, 'a', `guess-${n}`)
  }

  test('has a hundred attempts, then waits 1, 2, 4 … seconds, at most a minute', async () => {
    const { clock, attempt, fail } = openThrottle()
    for (let n = 0; n < 100; n += 1) await fail(1, 'a', `guess-${n}`)
    const delays: unknown[] = []
    for (let n = 100; n < 108; n += 1) {
      const delay = await attempt('a', `guess-${n}`)
      delays.push(delay)
      clock.now += Number(delay) * second
      await fail(1, 'a', `guess-${n}`)
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('lets accounts in that signed in from there before, if they did not fail', async () => {
    const world = openThrottle()
    expect(await world.attempt('a', 'colleague', true)).toBe('right')
    await failWithMany(world, 110)
    expect(await world.attempt('a', 'colleague', true)).toBe('right')
    expect(await world.attempt('a', 'newcomer', true)).toBe(60)
    expect(await world.attempt('b', 'newcomer', true)).toBe('right')
  })

  test('leaves attempts at once to others while known accounts sign in', async () => {
    const { throttle, attempt } = openThrottle()
    const names = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']
    for (const name of names) expect(await attempt('a', name, true)).toBe('right')
    const never = new Promise<never>(() => {})
    for (const name of names) {
      throttle.attempt({ address: 'a', name, kind: 'password' }, () => never).catch(() => {})
    }
    expect(await attempt('a', 'new@example.com', true)).toBe('right')
  })

  test('gives an account that signed in before no further attempts', async () => {
    const world = openThrottle()
    expect(await world.attempt('a', 'victim', true)).toBe('right')
    await failWithMany(world, 110)
    await world.fail(10, 'a', 'victim')
    expect(await world.attempt('a', 'victim', true)).toBe(1)
  })

  test('gets no further attempts by concurrent ones', async () => {
    const { throttle, fail } = openThrottle({ address: { free: 5, first: second, max: minute } })
    await fail(3, 'a', 'key')
    let begun = 0
    const never = new Promise<never>(() => {})
    for (let n = 0; n < 20; n += 1) {
      const guess = { address: 'a', name: `key-${n}`, kind: 'key' } as const
      throttle
        .attempt(guess, async () => {
          begun += 1
          return await never
        })
        .catch(() => {})
    }
    await setImmediate()
    expect(begun).toBe(2)
  })
})

describe('an address without failures', () => {
  test('can have 4 passwords and 64 keys checked at once', async () => {
    const { throttle } = openThrottle()
    const never = new Promise<never>(() => {})
    const begun = async (name: string) => {
      let count = 0
      for (let n = 0; n < 100; n += 1) {
        throttle
          .attempt({ address: name, name, kind: getKind(name) }, async () => {
            count += 1
            return await never
          })
          .catch(() => {})
      }
      await setImmediate()
      return count
    }
    expect(await begun('ann@example.com')).toBe(4)
    expect(await begun('srs_key')).toBe(64)
  })
})

const acts = fc.array(
  fc.record({
    address: fc.nat({ max: 30 }),
    name: fc.oneof(fc.nat({ max: 30 }).map(String), fc.string(), fc.constant('a@example.com')),
    isRight: fc.boolean(),
    pass: fc.oneof(fc.constant(0), fc.nat({ max: 2 * 60 * minute }), fc.integer({ min: -minute })),
  }),
  { maxLength: 200 },
)

test('memory and delays are bounded, and a first attempt is never refused', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async list => {
      const { clock, limits, throttle, attempt } = openThrottle({}, new LowdbLimits(8))
      const failed = new Set<number>()
      for (const { address, name, isRight, pass } of list) {
        clock.now += pass
        const result = await attempt(String(address), name, isRight)
        if (!failed.has(address)) expect(result).toBe(isRight ? 'right' : 'wrong')
        if (typeof result === 'number') expect(result).toBeLessThanOrEqual(900)
        if (result === 'wrong') failed.add(address)
        expect(limits.size).toBeLessThanOrEqual(4 * 8)
        expect(throttle.size).toBe(0)
      }
    }),
  )
})

test('names of any length need the same memory', async () => {
  const { limits, attempt } = openThrottle({}, new LowdbLimits(2))
  for (let n = 0; n < 10; n += 1) await attempt(`a-${n}`, `${n}`.padEnd(10_000, 'x'))
  expect(limits.size).toBe(6)
})

test('failures are counted by kind', async () => {
  const { metrics, attempt } = openThrottle()
  for (const name of ['ann@example.com', 'srs_key', 'srs_key']) await attempt('a', name)
  await attempt('a', 'srs_key', true)
  expect(metrics.values()).toEqual({
    'auth_failures_total{kind="password"}': 1,
    'auth_failures_total{kind="key"}': 2,
  })
})
