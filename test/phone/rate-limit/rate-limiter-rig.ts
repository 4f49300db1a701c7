import { parseRate } from '../../../src/phone/rate-limit/parts-rate.js'
import { RateLimiter, type RateLimiterOptions } from '../../../src/phone/rate-limit/rate-limiter.js'
import { FakeClock } from '../../util/async/fake-clock.js'

/** A pace on a clock of its own, and one loop that sends texts of so many parts as fast as it may. */
export function createPace(rates: readonly string[], options: Partial<RateLimiterOptions> = {}) {
  const clock = new FakeClock({ auto: true })
  const stop = new AbortController()
  const told: [number, string][] = []
  const pace = new RateLimiter({
    rates: rates.map(parseRate),
    clock,
    random: () => 0.5,
    ...options,
  })
  const waiting = {
    stop: stop.signal,
    onWait: (wait: number, limit: string) => void told.push([Math.round(wait), limit]),
  }
  /** Sends one text, which takes `takes` milliseconds, and says when it began. */
  const send = async (
    turn: ReturnType<RateLimiter['createReservation']>,
    parts = 1,
    takes = 0,
  ): Promise<number> => {
    await turn.reserve(waiting)
    const at = clock.monotonic()
    turn.start(parts)
    if (takes > 0) await clock.sleep(takes)
    turn.finish(parts)
    return at
  }
  const sendAll = async (texts: readonly number[], takes = 0): Promise<number[]> => {
    const turn = pace.createReservation()
    const times: number[] = []
    for (const parts of texts) times.push(await send(turn, parts, takes))
    return times
  }
  return { pace, clock, stop, told, waiting, send, sendAll }
}
