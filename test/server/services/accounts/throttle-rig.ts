import { expect } from 'vitest'
import { RelayError } from '../../../../src/errors.js'
import {
  SignInThrottle,
  type ThrottleSettings,
} from '../../../../src/server/services/accounts/sign-in-throttle.js'
import { LowdbLimits } from '../../../../src/server/store/lowdb/limits/lowdb-limits.js'
import type { Store } from '../../../../src/server/store/store.js'
import type { Clock } from '../../../../src/util/async/clock.js'
import { Metrics } from '../../../../src/util/collections/metrics.js'

export const second = 1000
export const minute = 60 * second
/** The error of attempts with wrong credentials. */
export const wrong = new RelayError('invalid_client', 'wrong')

export const getKind = (name: string) => (name.includes('@') ? 'password' : 'key')

/**
 * A throttle, its clock, and attempts with one name.
 * @param limits those of the store, so that several throttles share them
 */
export function openThrottle(
  settings: Partial<ThrottleSettings> = {},
  limits = new LowdbLimits(),
  clock = { now: 1_000_000 },
) {
  const metrics = new Metrics()
  const context = {
    metrics,
    store: { limits } as unknown as Store,
    clock: { now: () => clock.now } as Clock,
  }
  const throttle = new SignInThrottle(context, settings)
  /** `right`, `wrong`, or the seconds to wait. */
  const attempt = async (address: string, name: string, isRight = false) => {
    try {
      return await throttle.attempt({ address, name, kind: getKind(name) }, async () => {
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
  return { clock, limits, throttle, metrics, attempt, fail, failAfterWaits }
}
