import { setImmediate } from 'node:timers/promises'
import {
  type CountedGroup,
  type Counts,
  getQuarterHour,
} from '../../../domain/message/message-counts.js'
import type { GroupQuery, StatisticsStore, TimeSpans } from '../statistics-store.js'
import type { Transactions } from './engine/engine.js'

/** Blocks of messages that are counted in one turn of the event loop: about a millisecond. */
const blocksPerTurn = 400

export class LowdbStatistics implements StatisticsStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async getCounts(account: string, spans: TimeSpans): Promise<Counts[]> {
    return await this.#engine.read(() => this.#engine.indexes.statistics.sumSpans(account, spans))
  }

  async countGroups(query: GroupQuery): Promise<CountedGroup[]> {
    const since = getQuarterHour(query.since)
    const until = getQuarterHour(query.until)
    const { messages } = this.#engine.indexes
    // An engine that has failed refuses the read.
    const list = await this.#engine.read(() => messages.getList(query.account))
    const sums: number[] = []
    const blocks = [...list.blocks]
    for (let at = 0; at < blocks.length; at += blocksPerTurn) {
      if (at > 0) await setImmediate()
      const counts = new Uint32Array(list.groups.size)
      for (const block of blocks.slice(at, at + blocksPerTurn))
        block.countGroups(counts, since, until)
      for (const [group, count] of counts.entries()) sums[group] = (sums[group] ?? 0) + count
    }
    return list.groups.listCounted(sums)
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
