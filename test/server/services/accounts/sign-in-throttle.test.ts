import { describe, expect, test } from 'vitest'
import { RelayError } from '../../../../src/errors.js'
import { minute, openThrottle, second, wrong } from './throttle-rig.js'

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

describe('an account that fails from an address', () => {
  test('has ten attempts, then waits 1, 2, 4 … seconds, at most 15 minutes', async () => {
    const { clock, attempt, fail } = openThrottle()
    await fail(10, 'a', 'key')
    const delays: unknown[] = []
    for (let n = 1; n <= 13; n += 1) {
      const delay = await attempt('a', 'key')
      delays.push(delay)
      clock.now += Number(delay) * second
      expect(await attempt('a', 'key')).toBe('wrong')
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  test('does not delay other accounts behind the address', async () => {
    const { attempt, failAfterWaits } = openThrottle()
    await failAfterWaits(25, 'a', 'victim')
    expect(await attempt('a', 'victim', true)).toBe(900)
    expect(await attempt('a', 'colleague', true)).toBe('right')
    expect(await attempt('a', 'another')).toBe('wrong')
  })

  test('does not delay itself elsewhere', async () => {
    const { attempt, failAfterWaits } = openThrottle()
    await failAfterWaits(25, 'a', 'victim')
    expect(await attempt('home', 'victim', true)).toBe('right')
  })

  test('is refused also with the right key, until the delay ends', async () => {
    const { clock, attempt, fail } = openThrottle()
    await fail(10, 'a', 'key')
    clock.now += second - 1
    expect(await attempt('a', 'key', true)).toBe(1)
    clock.now += 1
    expect(await attempt('a', 'key', true)).toBe('right')
  })

  test('does not wait longer after an attempt during the delay', async () => {
    const { clock, attempt, fail } = openThrottle()
    await fail(10, 'a', 'key')
    for (let n = 0; n < 100; n += 1) expect(await attempt('a', 'key')).toBe(1)
    clock.now += second
    expect(await attempt('a', 'key')).toBe('wrong')
  })

  test('gets no further attempts by a success', async () => {
    const { attempt, fail } = openThrottle()
    await fail(9, 'a', 'victim')
    expect(await attempt('a', 'victim', true)).toBe('right')
    await fail(1, 'a', 'victim')
    expect(await attempt('a', 'victim', true)).toBe(1)
  })

  test('is forgotten after an hour without a failure', async () => {
    const { clock, attempt, failAfterWaits } = openThrottle()
    await failAfterWaits(20, 'a', 'key')
    clock.now += 60 * minute
    expect(await attempt('a', 'key', true)).toBe('right')
  })

  test('gets no further attempts by concurrent ones', async () => {
    const { throttle, fail } = openThrottle()
    await fail(3, 'a', 'key')
    const works = Array.from({ length: 100 }, () => deferred<never>())
    let begun = 0
    const tries = works.map(({ promise }) =>
      throttle.attempt({ address: 'a', name: 'key', kind: 'key' }, async () => {
        begun += 1
        return await promise
      }),
    )
    for (const { reject } of works) reject(wrong)
    await Promise.allSettled(tries)
    expect(begun).toBe(7)
  })

  test('gets no further attempts by concurrent ones on another node', async () => {
    const { limits, clock, throttle, fail } = openThrottle()
    const other = openThrottle({}, limits, clock).throttle
    await fail(3, 'a', 'key')
    const work = deferred<never>()
    let begun = 0
    const tries = Array.from({ length: 100 }, (_, n) =>
      (n % 2 === 0 ? throttle : other).attempt(
        { address: 'a', name: 'key', kind: 'key' },
        async () => {
          begun += 1
          return await work.promise
        },
      ),
    )
    work.reject(wrong)
    const results = await Promise.allSettled(tries)
    expect(begun).toBe(7)
    expect(
      results.filter(each => each.status === 'rejected' && each.reason === wrong),
    ).toHaveLength(7)
  })

  test('can sign in again at once after a success', async () => {
    const { clock, limits, attempt, failAfterWaits } = openThrottle()
    await failAfterWaits(12, 'a', 'key')
    clock.now += 4 * second
    const address = await limits.get('sign-in address', 'a')
    for (let n = 0; n < 5; n += 1) expect(await attempt('a', 'key', true)).toBe('right')
    expect(await limits.get('sign-in address', 'a')).toEqual(address)
    expect(await attempt('a', 'key')).toBe('wrong')
    expect(await attempt('a', 'key', true)).toBe(8)
  })

  test('waits no longer if the clock is set back', async () => {
    const { clock, attempt, fail } = openThrottle()
    await fail(10, 'a', 'key')
    clock.now -= 500_000
    expect(await attempt('a', 'key')).toBe(1)
    clock.now += second
    expect(await attempt('a', 'key', true)).toBe('right')
  })
})

describe('a name that attackers guess at', () => {
  test('lets its owner sign in from an address without failures', async () => {
    const { attempt, fail } = openThrottle()
    for (let n = 0; n < 500; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('home', 'key', true)).toBe('right')
  })

  test('delays its owner by at most a minute after a mistake', async () => {
    const { clock, attempt, fail } = openThrottle()
    for (let n = 0; n < 500; n += 1) await fail(1, `bot-${n}`, 'key')
    await fail(1, 'home', 'key')
    expect(await attempt('home', 'key', true)).toBe(60)
    clock.now += 30 * second
    for (let n = 500; n < 1000; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('home', 'key', true)).toBe(30)
    clock.now += 30 * second
    expect(await attempt('home', 'key', true)).toBe('right')
  })

  test('allows one attempt a minute to an address that failed with it', async () => {
    const { attempt, fail } = openThrottle()
    for (let n = 0; n < 20; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('bot-1', 'key')).toBe(60)
    expect(await attempt('bot-1', 'another')).toBe('wrong')
  })

  test('is reset by a success', async () => {
    const { attempt, fail } = openThrottle()
    for (let n = 0; n < 20; n += 1) await fail(1, `bot-${n}`, 'key')
    expect(await attempt('home', 'key', true)).toBe('right')
    expect(await attempt('bot-1', 'key')).toBe('wrong')
  })

  test('is the same in any letter case of an e-mail address', async () => {
    const { attempt, fail } = openThrottle()
    for (let n = 0; n < 20; n += 1) await fail(1, `bot-${n}`, n % 2 ? 'a@b' : 'A@B')
    expect(await attempt('bot-1', 'a@B')).toBe(60)
  })
})

test('an error that is neither success nor failure does not count', async () => {
  const { limits, throttle, attempt } = openThrottle()
  const broken = new RelayError('unavailable', 'disk full')
  const attemptBroken = async () =>
    await throttle.attempt({ address: 'a', name: 'key', kind: 'key' }, () => Promise.reject(broken))
  for (let n = 0; n < 50; n += 1) {
    await expect(attemptBroken()).rejects.toBe(broken)
  }
  expect(await attempt('a', 'key')).toBe('wrong')
  await expect(attemptBroken()).rejects.toBe(broken)
  expect((await limits.get('sign-in address', 'a'))?.failures).toBe(1)
  expect(throttle.size).toBe(0)
})
