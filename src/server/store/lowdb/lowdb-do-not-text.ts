import type { BlockEntry } from '../../../domain/account/account.js'
import type { Change, Message } from '../../../domain/message/message.js'
import type { BlocklistStore } from '../store.js'
import type { Engine } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'

/** The Do Not Text lists on the {@link Engine}. */
export class LowdbBlocklist implements BlocklistStore {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async list(scope: string): Promise<BlockEntry[]> {
    const all = await this.#engine.read(() => [...this.#engine.data.block.values()])
    return all.filter(entry => entry.scope === scope)
  }

  async listed(scope: string, numbers: readonly string[]): Promise<BlockEntry[]> {
    const { block } = this.#engine.data
    return await this.#engine.read(() =>
      numbers
        .map(number => block.get(blockKey(scope, number)))
        .filter(entry => entry !== undefined),
    )
  }

  async add(entry: BlockEntry, decide: (message: Message) => Change): Promise<BlockEntry> {
    const [listed = entry] = await this.addAll([entry], entry.at, decide)
    return listed
  }

  async addAll(
    entries: readonly BlockEntry[],
    now: number,
    decide: (message: Message) => Change,
  ): Promise<BlockEntry[]> {
    return await this.#engine.transact(transaction =>
      listNumbers(this.#engine, transaction, { entries, now, decide }),
    )
  }

  async remove(scope: string, number: string): Promise<BlockEntry | undefined> {
    return await this.#engine.transact(transaction => {
      const key = blockKey(scope, number)
      const entry = transaction.get('block', key)
      if (entry !== undefined) transaction.put('block', key, null)
      return entry
    })
  }
}

/** Names an entry. */
export function blockKey(scope: string, number: string): string {
  return `${scope} ${number}`
}

/** Numbers to list, when (milliseconds since the epoch), and what becomes of messages that wait for them. */
export interface Listing {
  readonly entries: readonly BlockEntry[]
  readonly now: number
  readonly decide: (message: Message) => Change
}

/**
 * Lists numbers, and decides on every waiting message to them that is in nobody's hands; those that were listed before
 * stay as they are. Answers each as it is listed afterwards.
 */
export function listNumbers(
  engine: Engine,
  transaction: Transaction,
  { entries, now, decide }: Listing,
): BlockEntry[] {
  const added = new Set<string>()
  const listed = entries.map(entry => {
    const key = blockKey(entry.scope, entry.number)
    const there = transaction.get('block', key)
    if (there !== undefined) return there
    transaction.put('block', key, entry)
    added.add(key)
    return entry
  })
  for (const message of waiting(engine, entries, added)) {
    if ((message.lease?.until ?? 0) > now) continue
    transaction.apply(message.id, message.account, decide(message), now)
  }
  return listed
}

/** The waiting messages to numbers just listed; they are looked through once, however many numbers. */
function waiting(
  { indexes, data }: Engine,
  entries: readonly BlockEntry[],
  added: ReadonlySet<string>,
): Message[] {
  if (added.size === 0) return []
  const scopes = new Set(entries.map(entry => entry.scope))
  const numbers = new Set(entries.map(entry => entry.number))
  const accounts = scopes.has('*') ? [undefined] : [...scopes]
  return accounts
    .flatMap(account => [...indexes.messages.waiting(account)])
    .map(id => data.message.get(id))
    .filter(message => message !== undefined && numbers.has(message.number))
    .filter(message => message !== undefined)
    .filter(
      ({ account, number }) =>
        added.has(blockKey(account, number)) || added.has(blockKey('*', number)),
    )
}
