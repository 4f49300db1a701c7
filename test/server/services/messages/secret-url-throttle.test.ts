import { expect, test } from 'vitest'
import type { RelayError } from '../../../../src/errors.js'
import {
  SecretUrlThrottle,
  type SecretUrlThrottleSettings,
} from '../../../../src/server/services/messages/secret-url-throttle.js'
import { LowdbLimits } from '../../../../src/server/store/lowdb/limits/lowdb-limits.js'
import type { Store } from '../../../../src/server/store/store.js'
import type { Clock } from '../../../../src/util/async/clock.js'
import { Metrics } from '../../../../src/util/collections/metrics.js'

const second = 1000
const minute = 60 * second

function open(settings: Partial<SecretUrlThrottleSettings> = {}, limits = new LowdbLimits()) {
  const clock = { now: 1_000_000 }
  const metrics = new Metrics()
  const context = {
    metrics,
    store: { limits } as unknown as Store,
    clock: { now: () => clock.now } as Clock,
  }
  const throttle = new SecretUrlThrottle(context, settings)
  /** `right`, `wrong`, or the seconds to wait. */
  const lookUp = async (address: string, isRight = false) => {
    try {
      const found = await throttle.lookUp(address, async () => (isRight ? 'right' : undefined))
      return found ?? 'wrong'
    } catch (error) {
      const { code, retryAfter } = error as RelayError
      expect(code).toBe('too_many_requests')
      return retryAfter ?? Number.NaN
    }
  }
  const guess = async (times: number, address: string) => {
    const results = []
    for (let n = 0; n < times; n += 1) results.push(await lookUp(address))
    return results
  }
  return { clock, limits, throttle, metrics, lookUp, guess }
}

test('an address has ten wrong ones, then waits 2, 4, 8 … s, at most 15 min', async () => {
  const { guess } = open()
  expect(await guess(10, 'a')).toEqual(Array(10).fill('wrong'))
  expect(await guess(12, 'a')).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
})

test('a right one is never refused, and other addresses do not wait', async () => {
  const { lookUp, guess } = open()
  await guess(50, 'a')
  expect(await lookUp('a', true)).toBe('right')
  expect(await lookUp('b', true)).toBe('right')
  expect(await lookUp('b')).toBe('wrong')
})

test('right ones do not shorten the delay of wrong ones', async () => {
  const { lookUp, guess } = open()
  await guess(11, 'a')
  expect(await lookUp('a', true)).toBe('right')
  expect(await lookUp('a')).toBe(4)
})

test('a guesser who waits gets an answer each time', async () => {
  const { clock, lookUp, guess } = open()
  await guess(10, 'a')
  for (const delay of [1, 2, 4, 8]) {
    clock.now += delay * second
    expect(await lookUp('a')).toBe('wrong')
  }
  clock.now += 16 * second - 1
  expect(await lookUp('a')).toBe(32)
})

test('an address is forgotten after an hour without a wrong one', async () => {
  const { clock, lookUp, guess } = open()
  await guess(20, 'a')
  clock.now += 60 * minute
  expect(await lookUp('a')).toBe('wrong')
})

test('all addresses together have a limit in a minute', async () => {
  const { clock, lookUp } = open({ perMinute: 20 })
  for (let n = 0; n < 20; n += 1) expect(await lookUp(`bot-${n}`)).toBe('wrong')
  clock.now += 15 * second
  expect(await lookUp('bot-20')).toBe(45)
  expect(await lookUp('home', true)).toBe('right')
  clock.now += 45 * second
  expect(await lookUp('bot-21')).toBe('wrong')
})

test('memory is bounded, and wrong ones are counted', async () => {
  const { limits, metrics, lookUp } = open({}, new LowdbLimits(8))
  for (let n = 0; n < 100; n += 1) await lookUp(`bot-${n}`)
  expect(limits.size).toBe(8 + 1)
  await lookUp('home', true)
  expect(metrics.values()).toEqual({ 'auth_failures_total{kind="secret_url"}': 100 })
})

test('any number of right ones is looked up at once, also after a wrong one', async () => {
  const { throttle, lookUp } = open()
  await lookUp('a')
  let resolve = (_: string): void => {}
  const pending = new Promise<string>(done => {
    resolve = done
  })
  const found = Array.from({ length: 200 }, () => throttle.lookUp('a', () => pending))
  resolve('right')
  expect(new Set(await Promise.all(found))).toEqual(new Set(['right']))
})
