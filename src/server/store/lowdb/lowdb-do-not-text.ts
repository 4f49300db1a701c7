import type { DoNotTextEntry } from '../../../domain/account/account.js'
import type { ListPageQuery } from '../../../domain/list-key.js'
import type { AddedEntry, DecideWaiting, DoNotTextStore } from '../do-not-text-store.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { buildDoNotTextKey } from './records/collections.js'
import { blockFirst } from './waiting-messages.js'

export class LowdbDoNotText implements DoNotTextStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async getPage(scope: string, query: ListPageQuery): Promise<DoNotTextEntry[]> {
    const { block } = this.#engine.indexes.owned
    return await this.#engine.read(() => this.#find(scope, block.getPage(scope, query)))
  }

  async count(scope: string, most: number): Promise<number> {
    const { block } = this.#engine.indexes.owned
    return await this.#engine.read(() => Math.min(block.count(scope), most))
  }

  async findListed(scope: string, numbers: readonly string[]): Promise<DoNotTextEntry[]> {
    return await this.#engine.read(() => this.#find(scope, numbers))
  }

  #find(scope: string, numbers: readonly string[]): DoNotTextEntry[] {
    const { block } = this.#engine.data
    return numbers
      .map(number => block.get(buildDoNotTextKey(scope, number)))
      .filter(entry => entry !== undefined)
  }

  async add(
    entries: readonly DoNotTextEntry[],
    now: number,
    decide: DecideWaiting,
  ): Promise<AddedEntry[]> {
    return await this.#engine.transact(transaction => {
      const isNew = entries.map(entry => addDoNotTextEntry(transaction, entry, now))
      const added = entries.filter((_, at) => isNew[at])
      blockFirst(this.#engine, transaction, added, now, decide)
      return entries.map((entry, at) => {
        const key = buildDoNotTextKey(entry.scope, entry.number)
        return { entry: transaction.get('block', key) ?? entry, isNew: isNew[at] === true }
      })
    })
  }

  async remove(scope: string, number: string, now: number): Promise<DoNotTextEntry | undefined> {
    return await this.#engine.transact(transaction => {
      const entry = transaction.get('block', buildDoNotTextKey(scope, number))
      if (entry !== undefined) removeDoNotTextEntry(transaction, entry, now)
      return entry
    })
  }
}

/**
 * Adds an entry to its Do Not Text list in the store's transaction, with `number.blocked`, unless
 * it is there. The list of the whole relay belongs to no account and has no events.
 */
export function addDoNotTextEntry(
  transaction: Transaction,
  entry: DoNotTextEntry,
  now: number,
): boolean {
  const { scope, number } = entry
  const key = buildDoNotTextKey(scope, number)
  if (transaction.get('block', key) !== undefined) return false
  transaction.put('block', key, entry)
  if (scope !== '*') transaction.recordEvent(scope, 'number.blocked', number, now)
  return true
}

export function removeDoNotTextEntry(
  transaction: Transaction,
  { scope, number }: DoNotTextEntry,
  now: number,
): void {
  transaction.put('block', buildDoNotTextKey(scope, number), null)
  if (scope !== '*') transaction.recordEvent(scope, 'number.unblocked', number, now)
}
