import { parseRate } from '../../../src/phone/rate-limit/parts-rate.js'
import {
  RateLimiter,
  type RateLimiterOptions,
  type RateReservation,
} from '../../../src/phone/rate-limit/rate-limiter.js'
import { FakeClock } from '../../util/async/fake-clock.js'

/** A rate limiter on a clock of its own, with helpers that send as fast as it allows. */
export function createLimiter(rates: readonly string[], options: Partial<RateLimiterOptions> = {}) {
  const clock = new FakeClock({ auto: true })
  const stop = new AbortController()
  const waits: [number, string][] = []
  const limiter = new RateLimiter({
    rates: rates.map(parseRate),
    clock,
    random: () => 0.5,
    ...options,
  })
  const waiting = {
    stop: stop.signal,
    onWait: (wait: number, limit: string) => void waits.push([Math.round(wait), limit]),
  }
  /** Sends one text in `duration` milliseconds; returns when it started. */
  const send = async (reservation: RateReservation, parts = 1, duration = 0): Promise<number> => {
    await reservation.reserve(waiting)
    const at = clock.monotonic()
    reservation.start(parts)
    if (duration > 0) await clock.sleep(duration)
    reservation.finish(parts)
    return at
  }
  const sendAll = async (texts: readonly number[], duration = 0): Promise<number[]> => {
    const reservation = limiter.createReservation()
    const times: number[] = []
    for (const parts of texts) times.push(await send(reservation, parts, duration))
    return times
  }
  return { limiter, clock, stop, waits, waiting, send, sendAll }
}
