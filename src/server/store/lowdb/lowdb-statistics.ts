import type { Message } from '../../../domain/message/message.js'
import {
  type CountName,
  type Counts,
  noCounts,
  outcomeOf,
  quarterOf,
  type Tally,
} from '../../../domain/message/message-counts.js'
import type { Spans, StatisticsStore } from '../store.js'
import type { Engine } from './engine/engine.js'

type Draft = Tally & Record<CountName, number>

/**
 * The tallies that go on counting what messages counted for that are removed.
 *
 * @param since quarter from which on anything is counted
 * @param known a tally that is there already, by its identifier
 */
export function talliesOf(
  messages: readonly Message[],
  since: number,
  known: (id: string) => Tally | undefined,
): Iterable<Tally> {
  const tallies = new Map<string, Draft>()
  const count = (account: string, name: CountName, at: number): void => {
    const quarter = quarterOf(at)
    if (quarter < since) return
    const id = `${account} ${quarter}`
    const tally = tallies.get(id) ?? { ...noCounts(), id, account, quarter, ...known(id) }
    tally[name] += 1
    tallies.set(id, tally)
  }
  for (const message of messages) {
    const outcome = outcomeOf(message)
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

  async sums(account: string, spans: Spans): Promise<Counts[]> {
    return await this.#engine.read(() => this.#engine.indexes.counts.sums(account, spans))
  }

  async forget(before: number): Promise<void> {
    const since = quarterOf(before)
    await this.#engine.transact(transaction => {
      this.#engine.indexes.counts.forget(since)
      const old = [...transaction.values('tally')].filter(tally => tally.quarter < since)
      for (const { id } of old) transaction.put('tally', id, null)
    })
  }
}
