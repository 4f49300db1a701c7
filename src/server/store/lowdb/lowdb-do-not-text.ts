import type { DoNotTextEntry } from '../../../domain/account/account.js'
import type { Message, MessageChange } from '../../../domain/message/message.js'
import type { DoNotTextStore } from '../do-not-text-store.js'
import type { Engine } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { buildDoNotTextKey } from './records/collections.js'

export class LowdbDoNotText implements DoNotTextStore {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async list(scope: string): Promise<DoNotTextEntry[]> {
    const all = await this.#engine.read(() => [...this.#engine.data.block.values()])
    return all.filter(entry => entry.scope === scope)
  }

  async findListed(scope: string, numbers: readonly string[]): Promise<DoNotTextEntry[]> {
    const { block } = this.#engine.data
    return await this.#engine.read(() =>
      numbers
        .map(number => block.get(buildDoNotTextKey(scope, number)))
        .filter(entry => entry !== undefined),
    )
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
    return await this.#engine.transact(transaction =>
      addDoNotTextEntries(this.#engine, transaction, { entries, now, decide }),
    )
  }

  async remove(scope: string, number: string): Promise<DoNotTextEntry | undefined> {
    return await this.#engine.transact(transaction => {
      const key = buildDoNotTextKey(scope, number)
      const entry = transaction.get('block', key)
      if (entry !== undefined) transaction.put('block', key, null)
      return entry
    })
  }
}

/** Arguments of {@link addDoNotTextEntries}; `now` in milliseconds since the epoch. */
export interface DoNotTextAddition {
  readonly entries: readonly DoNotTextEntry[]
  readonly now: number
  readonly decide: (message: Message) => MessageChange
}

/** Does what `DoNotTextStore.addAll` describes, within a transaction. */
export function addDoNotTextEntries(
  engine: Engine,
  transaction: Transaction,
  { entries, now, decide }: DoNotTextAddition,
): DoNotTextEntry[] {
  const added = new Set<string>()
  const listed = entries.map(entry => {
    const key = buildDoNotTextKey(entry.scope, entry.number)
    const existing = transaction.get('block', key)
    if (existing !== undefined) return existing
    transaction.put('block', key, entry)
    added.add(key)
    return entry
  })
  for (const message of findWaitingMessages(engine, entries, added)) {
    if ((message.lease?.until ?? 0) > now) continue
    transaction.applyChange(message.id, message.account, decide(message), now)
  }
  return listed
}

/** The waiting messages to added Do Not Text numbers; one pass for all numbers. */
function findWaitingMessages(
  { indexes, data }: Engine,
  entries: readonly DoNotTextEntry[],
  added: ReadonlySet<string>,
): Message[] {
  if (added.size === 0) return []
  const scopes = new Set(entries.map(entry => entry.scope))
  const numbers = new Set(entries.map(entry => entry.number))
  const accounts = scopes.has('*') ? [undefined] : [...scopes]
  return accounts
    .flatMap(account => [...indexes.messages.waitingIds(account)])
    .map(id => data.message.get(id))
    .filter(message => message !== undefined)
    .filter(message => numbers.has(message.number))
    .filter(
      ({ account, number }) =>
        added.has(buildDoNotTextKey(account, number)) || added.has(buildDoNotTextKey('*', number)),
    )
}
