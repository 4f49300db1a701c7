import type { Account } from '../../domain/account/account.js'
import { type Counts, countRetention } from '../../domain/message/message-counts.js'
import type { ServiceContext } from './service-context.js'

/** What happened in a span of time that begins at `from`, in milliseconds since the epoch. */
export interface CountedSpan extends Counts {
  readonly from: number
}

/** What happened to an account's messages lately; the last span of each is the one in hand. */
export interface Statistics {
  readonly today: CountedSpan
  /** 48 hours. */
  readonly hours: readonly CountedSpan[]
  /** 90 days, of which the last is today. */
  readonly days: readonly CountedSpan[]
}

const minute = 60 * 1000
const hour = 60 * minute
const day = 24 * hour

/** How many messages were created, sent, failed and blocked in the last hours and days; those that were removed since, too. */
export class StatisticsService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /**
   * The counts of an account.
   *
   * @param offset minutes that the clock in question is ahead of UTC, a multiple of 15; days and hours are of that
   * clock, which knows no summer time
   */
  async get(account: Account, offset = 0): Promise<Statistics> {
    const spans = async (length: number, count: number): Promise<CountedSpan[]> => {
      const ahead = offset * minute
      const last = Math.floor((this.#context.now() + ahead) / length) * length - ahead
      const from = last - (count - 1) * length
      const sums = await this.#context.store.statistics.getCounts(account.id, {
        from,
        length,
        count,
      })
      return sums.map((sum, at) => ({ from: from + at * length, ...sum }))
    }
    const hours = await spans(hour, 48)
    const days = await spans(day, 90)
    return { today: days.at(-1) as CountedSpan, hours, days }
  }

  /** Lets go of what is too old to be shown. Throws `unavailable`. */
  async sweep(): Promise<void> {
    await this.#context.store.statistics.deleteBefore(this.#context.now() - countRetention)
  }
}
