import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RelayError } from '../../../../src/errors.js'
import {
  getThrottleDelay,
  SignInThrottle,
  type ThrottleSettings,
} from '../../../../src/server/services/accounts/sign-in-throttle.js'

const second = 1000
const minute = 60 * second
const wrong = new RelayError('invalid_client', 'wrong')

function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  promise.catch(() => {})
  return { promise, resolve, reject }
}

/** A throttle, its clock, and attempts with one name. */
function open(settings: Partial<ThrottleSettings> = {}) {
  const clock = { now: 1_000_000 }
  const throttle = new SignInThrottle({ now: () => clock.now }, settings)
  /** `right`, `wrong`, or the seconds to wait. */
  const attempt = async (address: string, name: string, isRight = false) => {
    try {
      return await throttle.attempt({ address, name }, async () => {
        if (!isRight) throw wrong
        return 'right' as const
      })
    } catch (error) {
      if (error === wrong) return 'wrong' as const
      const { code, retryAfter } = error as RelayError
      expect(code).toBe('too_many_requests')
      return retryAfter ?? Number.NaN
    }
  }
  const fail = async (times: number, address: string, name: string) => {
    for (let n = 0; n < times; n += 1) expect(await attempt(address, name)).toBe('wrong')
  }
  /** Fails `times` times and waits out each delay. */
  const failAfterWaits = async (times: number, address: string, name: string) => {
    for (let failed = 0; failed < times; ) {
      const result = await attempt(address, name)
      if (typeof result === 'number') clock.now += result * second
      else failed += 1
    }
  }
  return { clock, throttle, attempt, fail, failAfterWaits }
}

describe('an address that fails', () => {
  test('has ten attempts, then waits 1, 2, 4 … seconds, at most 15 minutes', async () => {
    const { clock, attempt, fail } = open()
    await fail(10, 'a', 'key-0')
    const delays: unknown[] = []
    for (let n = 1; n <= 13; n += 1) {
      const delay = await attempt('a', `key-${n}`)
      delays.push(delay)
      clock.now += Number(delay) * second
      expect(await attempt('a', `key-${n}`)).toBe('wrong')
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  test('is refused also with the right key, until the delay ends', async () => {
    const { clock, attempt, fail } = open()
    await fail(10, 'a', 'key')
    clock.now += second - 1
    expect(await attempt('a', 'key', true)).toBe(1)
    clock.now += 1
    expect(await attempt('a', 'key', true)).toBe('right')
  })

  test('does not wait longer after an attempt during the delay', async () => {
    const { clock, attempt, fail } = open()
    await fail(10, 'a', 'key')
    for (let n = 0; n < 100; n += 1) expect(await attempt('a', 'key')).toBe(1)
    clock.now += second
    expect(await attempt('a', 'key')).toBe('wrong')
  })

  test('gets no further attempts by a success', async () => {
    const { attempt, fail } = open()
    await fail(9, 'a', 'victim')
    expect(await attempt('a', 'mine', true)).toBe('right')
    await fail(1, 'a', 'victim')
    expect(await attempt('a', 'mine', true)).toBe(1)
  })

  test('is forgotten after an hour without a failure', async () => {
    const { clock, attempt, failAfterWaits } = open()
    await failAfterWaits(20, 'a', 'key')
    clock.now += 60 * minute
    expect(await attempt('a', 'key', true)).toBe('right')
  })

  test('gets no further attempts by concurrent ones', async () => {
    const { throttle, fail } = open()
    await fail(3, 'a', 'key')
    const works = Array.from({ length: 100 }, () => deferred<never>())
    let begun = 0
    const tries = works.map(({ promise }) =>
      throttle.attempt({ address: 'a', name: 'key' }, async () => {
        begun += 1
        return await promise
      }),
    )
    for (const { reject } of works) reject(wrong)
    await Promise.allSettled(tries)
    expect(begun).toBe(7)
  })

  test('waits no longer if the clock is set back', async () => {
    const { clock, attempt, fail } = open()
    await fail(10, 'a', 'key')
    clock.now -= 500_000
    expect(await attempt('a', 'key')).toBe(1)
    clock.now += second
    expect(await attempt('a', 'key', true)).toBe('right')
  })
})

describe('an address without failures', () => {
  test('can have 4 passwords and 64 keys checked at once', async () => {
    const { throttle } = open()
    const never = new Promise<never>(() => {})
    const begun = async (name: string) => {
      let count = 0
      for (let n = 0; n < 100; n += 1) {
        throttle
          .attempt({ address: name, name }, async () => {
            count += 1
            return await never
          })
          .catch(() => {})
      }
      return count
    }
    expect(await begun('ann@example.com')).toBe(4)
    expect(await begun('srs_key')).toBe(64)
  })
})

describe('a name that attackers guess at', () => {
  test('lets its owner sign in from an address without failures', async () => {
    const { attempt, fail } = open()
    for (let n = 0; n < 500; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('home', 'key', true)).toBe('right')
  })

  test('delays its owner by at most a minute after a mistake', async () => {
    const { clock, attempt, fail } = open()
    for (let n = 0; n < 500; n += 1) await fail(1, `bot-${n}`, 'key')
    await fail(1, 'home', 'key')
    expect(await attempt('home', 'key', true)).toBe(60)
    clock.now += 30 * second
    for (let n = 500; n < 1000; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('home', 'key', true)).toBe(30)
    clock.now += 30 * second
    expect(await attempt('home', 'key', true)).toBe('right')
  })

  test('allows one attempt a minute to an address that failed', async () => {
    const { attempt, fail } = open()
    for (let n = 0; n < 20; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('bot-1', 'key')).toBe(60)
    expect(await attempt('bot-1', 'another')).toBe('wrong')
  })

  test('is reset by a success', async () => {
    const { attempt, fail } = open()
    for (let n = 0; n < 20; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('home', 'key', true)).toBe('right')
    expect(await attempt('bot-1', 'key')).toBe('wrong')
  })

  test('is the same in any letter case of an e-mail address', async () => {
    const { attempt, fail } = open()
    for (let n = 0; n < 20; n += 1) await fail(1, `bot-${n}`, n % 2 ? 'a@b' : 'A@B')
    expect(await attempt('bot-1', 'a@B')).toBe(60)
  })
})

test('an error that is neither success nor failure does not count', async () => {
  const { throttle, attempt } = open()
  const broken = new RelayError('unavailable', 'disk full')
  for (let n = 0; n < 50; n += 1) {
    const tried = throttle.attempt({ address: 'a', name: 'key' }, () => Promise.reject(broken))
    await expect(tried).rejects.toBe(broken)
  }
  expect(await attempt('a', 'key', true)).toBe('right')
  expect(throttle.size).toBe(0)
})

test('a delay is finite for any number of failures', () => {
  const limits = { free: 10, first: second, max: minute }
  fc.assert(
    fc.property(fc.nat({ max: 1e9 }), failures => {
      const delay = getThrottleDelay(failures, limits)
      expect(delay).toBeGreaterThanOrEqual(failures < 10 ? 0 : second)
      expect(delay).toBeLessThanOrEqual(minute)
      expect(getThrottleDelay(failures + 1, limits)).toBeGreaterThanOrEqual(delay)
    }),
  )
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
      const { clock, throttle, attempt } = open({ maxRemembered: 8 })
      const failed = new Set<number>()
      for (const { address, name, isRight, pass } of list) {
        clock.now += pass
        const result = await attempt(String(address), name, isRight)
        if (!failed.has(address)) expect(result).toBe(isRight ? 'right' : 'wrong')
        if (typeof result === 'number') expect(result).toBeLessThanOrEqual(900)
        if (result === 'wrong') failed.add(address)
        expect(throttle.size).toBeLessThanOrEqual(16)
      }
    }),
  )
})

test('names of any length need the same memory', async () => {
  const { throttle, attempt } = open({ maxRemembered: 2 })
  for (let n = 0; n < 10; n += 1) await attempt(`a-${n}`, `${n}`.padEnd(10_000, 'x'))
  expect(throttle.size).toBe(4)
})
