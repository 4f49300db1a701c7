import type { AccountRecordStore } from '../account-store.js'
import type { Engine } from './engine/engine.js'
import type { AccountRecordKind, RecordMap, Records } from './records/collections.js'

export class LowdbAccountRecords<K extends AccountRecordKind>
  implements AccountRecordStore<Records[K]>
{
  readonly #engine: Engine
  readonly #kind: K

  constructor(engine: Engine, kind: K) {
    this.#engine = engine
    this.#kind = kind
  }

  async get(id: string): Promise<Records[K] | undefined> {
    return await this.#engine.read(() => this.#engine.data[this.#kind].get(id))
  }

  async list(account?: string): Promise<Records[K][]> {
    const { data, indexes } = this.#engine
    const kind = this.#kind
    const records: RecordMap<Records[K]> = data[kind]
    return await this.#engine.read(() => {
      if (account === undefined) return [...records.values()]
      if (kind === 'phone') return [...records.values()].filter(each => each.account === account)
      return indexes.owned[kind as 'mailbox' | 'capability']
        .listAfter(account)
        .map(id => records.get(id))
        .filter(found => found !== undefined)
    })
  }

  async change(
    id: string,
    decide: (current: Records[K] | undefined) => Records[K] | null,
  ): Promise<Records[K] | undefined> {
    return await this.#engine.transact(transaction => {
      const current = transaction.get(this.#kind, id)
      const decided = decide(current)
      if (decided !== current) transaction.put(this.#kind, id, decided)
      return decided ?? undefined
    })
  }
}
