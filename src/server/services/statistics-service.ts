import type { Account } from '../../domain/account/account.js'
import { type Counts, countRetention } from '../../domain/message/message-counts.js'
import type { ServiceContext } from './service-context.js'

export interface CountedSpan extends Counts {
  readonly from: number
}

/** Message counts of an account; the last span of each list is the present one. */
export interface Statistics {
  readonly today: CountedSpan
  readonly hours: readonly CountedSpan[]
  /** The service's counts of 90 days; the last one is today. */
  readonly days: readonly CountedSpan[]
}

const minute = 60 * 1000
const hour = 60 * minute
const day = 24 * hour

/**
 * Counts the messages created, sent, failed and blocked in the last hours and days, including
 * messages that were deleted since.
 */
export class StatisticsService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  async get(account: Account, offset = 0): Promise<Statistics> {
    const [hours, days] = await Promise.all([
      this.getHours(account, offset),
      this.#count(account, { length: day, count: 90 }, offset),
    ])
    return { today: days.at(-1) as CountedSpan, hours, days }
  }

  async getHours(account: Account, offset = 0): Promise<CountedSpan[]> {
    return await this.#count(account, { length: hour, count: 48 }, offset)
  }

  /** Deletes message counts that are too old to be shown. Throws `unavailable`. */
  async sweep(): Promise<void> {
    await this.#context.store.statistics.deleteBefore(this.#context.clock.now() - countRetention)
  }

  async #count(
    account: Account,
    { length, count }: { readonly length: number; readonly count: number },
    offset: number,
  ): Promise<CountedSpan[]> {
    const ahead = offset * minute
    const { clock, store } = this.#context
    const last = Math.floor((clock.now() + ahead) / length) * length - ahead
    const from = last - (count - 1) * length
    const sums = await store.statistics.getCounts(account.id, { from, length, count })
    return sums.map((sum, at) => ({ from: from + at * length, ...sum }))
  }
}
