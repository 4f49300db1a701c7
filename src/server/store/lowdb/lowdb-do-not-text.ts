import { setImmediate } from 'node:timers/promises'
import type { DoNotTextEntry } from '../../../domain/account/account.js'
import { buildListKey, type ListPageQuery } from '../../../domain/list-key.js'
import type { Message, MessageChange } from '../../../domain/message/message.js'
import type { DoNotTextStore } from '../do-not-text-store.js'
import { blockFirst, blockRemaining } from './block-waiting-messages.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { buildDoNotTextKey } from './records/collections.js'

const maxEntriesPerTransaction = 250
const maxEntriesPerTurn = 1000

export class LowdbDoNotText implements DoNotTextStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async list(scope: string): Promise<DoNotTextEntry[]> {
    const all: DoNotTextEntry[] = []
    for (let after: string | undefined; ; await setImmediate()) {
      const page = await this.getPage(scope, { count: maxEntriesPerTurn, after })
      for (const entry of page) all.push(entry)
      const last = page.at(-1)
      if (last === undefined || page.length < maxEntriesPerTurn) return all
      after = buildListKey(last.at, last.number)
    }
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
    entry: DoNotTextEntry,
    decide: (message: Message) => MessageChange,
  ): Promise<DoNotTextEntry> {
    const [listed = entry] = await this.addAll([entry], entry.at, decide)
    return listed
  }

  async addAll(
    entries: readonly DoNotTextEntry[],
    now: number,
    decide: (message: Message) => MessageChange,
  ): Promise<DoNotTextEntry[]> {
    const scopes = new Set(entries.map(entry => entry.scope))
    const request = { scopes, added: new Set<string>(), now, decide }
    const listed: DoNotTextEntry[] = []
    let isComplete = true
    for (let start = 0; start < entries.length; start += maxEntriesPerTransaction) {
      const batch = entries.slice(start, start + maxEntriesPerTransaction)
      const isLast = start + batch.length >= entries.length
      await this.#engine.transact(transaction => {
        for (const entry of batch) {
          const isNew = addDoNotTextEntry(transaction, entry, now)
          const key = buildDoNotTextKey(entry.scope, entry.number)
          if (isNew) request.added.add(key)
          listed.push(transaction.get('block', key) ?? entry)
        }
        if (isLast) isComplete = blockFirst(this.#engine, transaction, request)
      })
      if (!isLast) await setImmediate()
    }
    if (!isComplete) await blockRemaining(this.#engine, request)
    return listed
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
