import type { BlockEntry } from '../../domain/account.js'
import type { Change, Message } from '../../domain/message.js'
import type { BlocklistStore } from '../store.js'
import type { Engine } from './engine.js'

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

  async add(entry: BlockEntry, decide: (message: Message) => Change): Promise<BlockEntry> {
    return await this.#engine.transact(transaction => {
      const key = `${entry.scope} ${entry.number}`
      const listed = transaction.get('block', key)
      if (listed !== undefined) return listed
      transaction.put('block', key, entry)
      for (const message of this.#waiting(entry)) {
        transaction.apply(message.id, message.account, decide(message), entry.at)
      }
      return entry
    })
  }

  async remove(scope: string, number: string): Promise<BlockEntry | undefined> {
    return await this.#engine.transact(transaction => {
      const entry = transaction.get('block', `${scope} ${number}`)
      if (entry !== undefined) transaction.put('block', `${scope} ${number}`, null)
      return entry
    })
  }

  #waiting(entry: BlockEntry): Message[] {
    const { indexes, data } = this.#engine
    const account = entry.scope === '*' ? undefined : entry.scope
    return [...indexes.messages.waiting(account)]
      .map(id => data.message.get(id))
      .filter(message => message !== undefined)
      .filter(message => message.number === entry.number)
      .filter(message => (message.lease?.until ?? 0) <= entry.at)
  }
}
