import { type Counts, getQuarterHour } from '../../../domain/message/message-counts.js'
import type { StatisticsStore, TimeSpans } from '../statistics-store.js'
import type { Transactions } from './engine/engine.js'

export class LowdbStatistics implements StatisticsStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async getCounts(account: string, spans: TimeSpans): Promise<Counts[]> {
    return await this.#engine.read(() => this.#engine.indexes.statistics.sumSpans(account, spans))
  }

  async deleteBefore(before: number): Promise<void> {
    const since = getQuarterHour(before)
    await this.#engine.transact(transaction => {
      this.#engine.indexes.statistics.deleteBefore(since)
      const old = [...transaction.values('tally')].filter(tally => tally.quarter < since)
      for (const { id } of old) transaction.put('tally', id, null)
    })
  }
}
