import { join } from 'node:path'
import { type Clock, createClock } from '../../util/async/clock.js'
import type { PartsRate } from './parts-rate.js'
import { RateLimiter, type RateReservation } from './rate-limiter.js'
import { SentLog } from './sent-log.js'

interface OpenRateLimiterOptions {
  /** Directory of the file `pace`, in which the rate limiter stores what was sent. @default none */
  readonly directory?: string | undefined
  readonly warn?: (sentence: string) => void
  readonly clock?: Clock
  readonly random?: () => number
}

interface OpenRateLimiter extends AsyncDisposable {
  createReservation(): RateReservation
}

export async function openRateLimiter(
  rates: readonly PartsRate[],
  options: OpenRateLimiterOptions = {},
): Promise<OpenRateLimiter | undefined> {
  const byPeriod = [...rates].sort((a, b) => a.period - b.period)
  const [shortest, longest] = [byPeriod.at(0), byPeriod.at(-1)]
  if (shortest === undefined || longest === undefined) return undefined
  const { directory, warn = () => {}, clock = createClock(), random = Math.random } = options
  const slot = shortest.period / 1000
  const log =
    directory === undefined
      ? undefined
      : await SentLog.open(join(directory, 'pace'), { longest, time: clock.now, warn, slot })
  const offset = clock.monotonic() - clock.now()
  const limiter = new RateLimiter({
    rates,
    clock,
    random,
    before: (log?.getSent() ?? []).map(({ at, parts }) => ({ at: at + offset, parts })),
    onSent: parts => log?.add(parts),
  })
  return {
    createReservation: () => limiter.createReservation(),
    [Symbol.asyncDispose]: async () => await log?.[Symbol.asyncDispose](),
  }
}
