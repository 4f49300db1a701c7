import { join } from 'node:path'
import type { Pause } from '../../util/async/clock.js'
import { pause } from '../../util/async/clock.js'
import type { PartsRate } from './parts-rate.js'
import { RateLimiter } from './rate-limiter.js'
import type { RateReservation } from './rate-reservation.js'
import { SentLog } from './sent-log.js'

/** What {@link openPace} works with. */
export interface RateLimiterFileOptions {
  /** Where `pace` is kept, so that a restart does not forget what was sent. @default in memory only */
  readonly directory?: string
  /** Told in one sentence that the file cannot be read or written. */
  readonly warn?: (sentence: string) => void
  /** Milliseconds since the epoch. @default Date.now */
  readonly time?: () => number
  /** Milliseconds since any fixed moment; goes forward only. @default performance.now */
  readonly now?: () => number
  /** @default Math.random */
  readonly random?: () => number
  /** @default the real clock */
  readonly pause?: Pause
}

/** A pace that is to be closed. */
export interface OpenRateLimiter extends AsyncDisposable {
  /** The share of one loop. */
  createReservation(): RateReservation
}

/** Opens the pace of one phone; undefined when there is no limit. Never rejects. */
export async function openRateLimiter(
  rates: readonly PartsRate[],
  options: RateLimiterFileOptions = {},
): Promise<OpenRateLimiter | undefined> {
  const byPeriod = [...rates].sort((a, b) => a.period - b.period)
  const [shortest, longest] = [byPeriod.at(0), byPeriod.at(-1)]
  if (shortest === undefined || longest === undefined) return undefined
  const { directory, warn = () => {}, time = Date.now } = options
  const now = options.now ?? (() => performance.now())
  const clock = { now, random: options.random ?? Math.random, pause: options.pause ?? pause }
  const file =
    directory === undefined
      ? undefined
      : await SentLog.open(join(directory, 'pace'), {
          ...{ longest, time, warn },
          slot: shortest.period / 1000,
        })
  const ahead = now() - time()
  const pace = new RateLimiter({
    ...{ rates, ...clock },
    before: (file?.getSent() ?? []).map(({ at, parts }) => ({ at: at + ahead, parts })),
    onSent: parts => file?.add(parts),
  })
  return {
    createReservation: () => pace.createReservation(),
    [Symbol.asyncDispose]: async () => await file?.[Symbol.asyncDispose](),
  }
}
