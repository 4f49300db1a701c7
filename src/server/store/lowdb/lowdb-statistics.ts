import type { Message } from '../../../domain/message/message.js'
import {
  type CountName,
  type Counts,
  createEmptyCounts,
  type DeletedCounts,
  getOutcome,
  getQuarterHour,
} from '../../../domain/message/message-counts.js'
import type { StatisticsStore, TimeSpans } from '../statistics-store.js'
import type { Engine } from './engine/engine.js'

type DeletedCountsDraft = DeletedCounts & Record<CountName, number>

/**
 * The tallies that go on counting what messages counted for that are removed.
 *
 * @param since quarter from which on anything is counted
 * @param known a tally that is there already, by its identifier
 */
export function countDeleted(
  messages: readonly Message[],
  since: number,
  known: (id: string) => DeletedCounts | undefined,
): Iterable<DeletedCounts> {
  const tallies = new Map<string, DeletedCountsDraft>()
  const count = (account: string, name: CountName, at: number): void => {
    const quarter = getQuarterHour(at)
    if (quarter < since) return
    const id = `${account} ${quarter}`
    const tally = tallies.get(id) ?? { ...createEmptyCounts(), id, account, quarter, ...known(id) }
    tally[name] += 1
    tallies.set(id, tally)
  }
  for (const message of messages) {
    const outcome = getOutcome(message)
    count(message.account, 'created', message.createdAt)
    if (outcome !== undefined) count(message.account, outcome, message.statusAt)
  }
  return tallies.values()
}

/** Counts of an account's messages on the {@link Engine}. */
export class LowdbStatistics implements StatisticsStore {
  readonly #engine: Engine

  constructor(engine: Engine) {
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
