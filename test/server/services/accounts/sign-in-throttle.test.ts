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

/** A guard, a clock that moves when it is told to, and tries at one name. */
function open(settings: Partial<ThrottleSettings> = {}) {
  const clock = { now: 1_000_000 }
  const guard = new SignInThrottle({ now: () => clock.now }, settings)
  /** `right`, `wrong`, or the seconds after which to try again. */
  const attempt = async (address: string, name: string, isRight = false) => {
    try {
      return await guard.attempt({ address, name }, async () => {
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
  /** Fails as often as it is let, waiting for each pause. */
  const insist = async (times: number, address: string, name: string) => {
    for (let failed = 0; failed < times; ) {
      const result = await attempt(address, name)
      if (typeof result === 'number') clock.now += result * second
      else failed += 1
    }
  }
  return { clock, guard, attempt, fail, insist }
}

describe('an address that fails', () => {
  test('has ten tries, then waits 1, 2, 4 … seconds, 15 minutes at most', async () => {
    const { clock, attempt, fail } = open()
    await fail(10, 'a', 'key-0')
    const pauses: unknown[] = []
    for (let n = 1; n <= 13; n += 1) {
      const pause = await attempt('a', `key-${n}`)
      pauses.push(pause)
      clock.now += Number(pause) * second
      expect(await attempt('a', `key-${n}`)).toBe('wrong')
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  test('is refused with the right key too, until its pause is over to the millisecond', async () => {
    const { clock, attempt, fail } = open()
    await fail(10, 'a', 'key')
    clock.now += second - 1
    expect(await attempt('a', 'key', true)).toBe(1)
    clock.now += 1
    expect(await attempt('a', 'key', true)).toBe('right')
  })

  test('is not held up longer by asking while it waits', async () => {
    const { clock, attempt, fail } = open()
    await fail(10, 'a', 'key')
    for (let n = 0; n < 100; n += 1) expect(await attempt('a', 'key')).toBe(1)
    clock.now += second
    expect(await attempt('a', 'key')).toBe('wrong')
  })

  test('does not earn more tries with an account of its own', async () => {
    const { attempt, fail } = open()
    await fail(9, 'a', 'victim')
    expect(await attempt('a', 'mine', true)).toBe('right')
    await fail(1, 'a', 'victim')
    expect(await attempt('a', 'mine', true)).toBe(1)
  })

  test('is forgiven after an hour without a failure', async () => {
    const { clock, attempt, insist } = open()
    await insist(20, 'a', 'key')
    clock.now += 60 * minute
    expect(await attempt('a', 'key', true)).toBe('right')
  })

  test('gains nothing from asking many times at once', async () => {
    const { guard, fail } = open()
    await fail(3, 'a', 'key')
    const works = Array.from({ length: 100 }, () => deferred<never>())
    let begun = 0
    const tries = works.map(({ promise }) =>
      guard.attempt({ address: 'a', name: 'key' }, async () => {
        begun += 1
        return await promise
      }),
    )
    for (const { reject } of works) reject(wrong)
    await Promise.allSettled(tries)
    expect(begun).toBe(7)
  })

  test('waits no longer than its pause when the clock is set back', async () => {
    const { clock, attempt, fail } = open()
    await fail(10, 'a', 'key')
    clock.now -= 500_000
    expect(await attempt('a', 'key')).toBe(1)
    clock.now += second
    expect(await attempt('a', 'key', true)).toBe('right')
  })
})

describe('a clean address', () => {
  test('has four passwords and 64 keys checked at once', async () => {
    const { guard } = open()
    const never = new Promise<never>(() => {})
    const begun = async (name: string) => {
      let count = 0
      for (let n = 0; n < 100; n += 1) {
        guard
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

describe('a name that others guess at', () => {
  test('is open to its owner from a clean address, however many guess', async () => {
    const { attempt, fail } = open()
    for (let n = 0; n < 500; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('home', 'key', true)).toBe('right')
  })

  test('costs its owner a minute for a mistake, and the attackers cannot make that longer', async () => {
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

  test('gives an address a try a minute once it failed there', async () => {
    const { attempt, fail } = open()
    for (let n = 0; n < 20; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('bot-1', 'key')).toBe(60)
    expect(await attempt('bot-1', 'another')).toBe('wrong')
  })

  test('is at peace again after a success', async () => {
    const { attempt, fail } = open()
    for (let n = 0; n < 20; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('home', 'key', true)).toBe('right')
    expect(await attempt('bot-1', 'key')).toBe('wrong')
  })

  test('is one name however an e-mail address is capitalised', async () => {
    const { attempt, fail } = open()
    for (let n = 0; n < 20; n += 1) await fail(1, `bot-${n}`, n % 2 ? 'a@b' : 'A@B')
    expect(await attempt('bot-1', 'a@B')).toBe(60)
  })
})

test('what is neither right nor wrong is not counted', async () => {
  const { guard, attempt } = open()
  const broken = new RelayError('unavailable', 'disk full')
  for (let n = 0; n < 50; n += 1) {
    const tried = guard.attempt({ address: 'a', name: 'key' }, () => Promise.reject(broken))
    await expect(tried).rejects.toBe(broken)
  }
  expect(await attempt('a', 'key', true)).toBe('right')
  expect(guard.size).toBe(0)
})

test('a pause is finite however many failures there were', () => {
  const slowDown = { free: 10, first: second, max: minute }
  fc.assert(
    fc.property(fc.nat({ max: 1e9 }), failures => {
      const pause = getThrottleDelay(failures, slowDown)
      expect(pause).toBeGreaterThanOrEqual(failures < 10 ? 0 : second)
      expect(pause).toBeLessThanOrEqual(minute)
      expect(getThrottleDelay(failures + 1, slowDown)).toBeGreaterThanOrEqual(pause)
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

test('memory is bounded, pauses too, and a first try of a clean address is never refused', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async list => {
      const { clock, guard, attempt } = open({ maxRemembered: 8 })
      const failed = new Set<number>()
      for (const { address, name, isRight, pass } of list) {
        clock.now += pass
        const result = await attempt(String(address), name, isRight)
        if (!failed.has(address)) expect(result).toBe(isRight ? 'right' : 'wrong')
        if (typeof result === 'number') expect(result).toBeLessThanOrEqual(900)
        if (result === 'wrong') failed.add(address)
        expect(guard.size).toBeLessThanOrEqual(16)
      }
    }),
  )
})

test('a name of any length is kept in the same space', async () => {
  const { guard, attempt } = open({ maxRemembered: 2 })
  for (let n = 0; n < 10; n += 1) await attempt(`a-${n}`, `${n}`.padEnd(10_000, 'x'))
  expect(guard.size).toBe(4)
})

describe('looking secrets up', () => {
  const settings = { address: { free: 3, first: second, max: 2 * second } }

  function openLookUps() {
    const clock = { now: 1_000_000 }
    const guard = new SignInThrottle({ now: () => clock.now }, settings)
    const lookUp = async (address: string, found?: string) =>
      await guard.lookUp(address, async () => found).catch((error: RelayError) => error.retryAfter)
    return { clock, guard, lookUp }
  }

  test('slows an address down after so many that are not there, and no other one', async () => {
    const { clock, lookUp } = openLookUps()
    for (let n = 0; n < 3; n += 1) expect(await lookUp('a')).toBeUndefined()
    expect(await lookUp('a', 'right')).toBe(1)
    expect(await lookUp('b', 'right')).toBe('right')
    clock.now += second
    expect(await lookUp('a', 'right')).toBe('right')
    for (const pause of [2, 2]) {
      expect(await lookUp('a')).toBeUndefined()
      expect(await lookUp('a', 'right')).toBe(pause)
      clock.now += pause * second
    }
  })

  test('lets any number of right ones go on at once, also beside a failure', async () => {
    const { guard, lookUp } = openLookUps()
    await lookUp('a')
    const gate = deferred<string>()
    const found = Array.from({ length: 200 }, () => guard.lookUp('a', () => gate.promise))
    gate.resolve('right')
    expect(new Set(await Promise.all(found))).toEqual(new Set(['right']))
  })
})
