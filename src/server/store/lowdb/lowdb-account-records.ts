import type { Person } from '../../../domain/account/person.js'
import type { ListPageQuery } from '../../../domain/list-key.js'
import { type ResourceName, resourceNames, resources } from '../../../resources/resources.js'
import {
  type AccountListStore,
  type AccountRecordStore,
  emailTakenError,
  normalizeEmail,
  type PersonStore,
} from '../account-store.js'
import { createTakenError, type ResourceStore, type ResourceStores } from '../resource-store.js'
import type { Transactions } from './engine/engine.js'
import type { AccountRecordKind, RecordMap, Records } from './records/collections.js'

export class LowdbAccountRecords<K extends AccountRecordKind>
  implements AccountRecordStore<Records[K]>
{
  readonly #engine: Transactions
  readonly #kind: K

  constructor(engine: Transactions, kind: K) {
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
      return indexes.owned[kind as Exclude<AccountRecordKind, 'phone'>]
        .listAfter(account)
        .map(id => records.get(id))
        .filter(found => found !== undefined)
    })
  }

  async count(account: string): Promise<number> {
    return (await this.list(account)).length
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

export class LowdbAccountLists<K extends 'capability' | ResourceName>
  extends LowdbAccountRecords<K>
  implements AccountListStore<Records[K]>
{
  readonly #engine: Transactions
  readonly #kind: K

  constructor(engine: Transactions, kind: K) {
    super(engine, kind)
    this.#engine = engine
    this.#kind = kind
  }

  async getPage(account: string, query: ListPageQuery): Promise<Records[K][]> {
    const { data, indexes } = this.#engine
    const records: RecordMap<Records[K]> = data[this.#kind]
    return await this.#engine.read(() =>
      indexes.owned[this.#kind]
        .getPage(account, query)
        .map(id => records.get(id))
        .filter(found => found !== undefined),
    )
  }

  override async count(account: string): Promise<number> {
    return await this.#engine.read(() => this.#engine.indexes.count(this.#kind, account))
  }
}

/** The records of a resource, with the values that no two of them share. */
class LowdbResource<K extends ResourceName>
  extends LowdbAccountLists<K>
  implements ResourceStore<K>
{
  readonly #engine: Transactions
  readonly #name: K

  constructor(engine: Transactions, name: K) {
    super(engine, name)
    this.#engine = engine
    this.#name = name
  }

  async findBy(key: string, value: string): Promise<Records[K] | undefined> {
    const { data, indexes } = this.#engine
    const records: RecordMap<Records[K]> = data[this.#name]
    return await this.#engine.read(() =>
      records.get(indexes.owned[this.#name].findId(key, value) ?? ''),
    )
  }

  override async change(
    id: string,
    decide: (current: Records[K] | undefined) => Records[K] | null,
  ): Promise<Records[K] | undefined> {
    return await super.change(id, current => {
      const decided = decide(current)
      if (decided === null || !this.#engine.indexes.owned[this.#name].isTaken(decided))
        return decided
      throw createTakenError(resources[this.#name], decided)
    })
  }
}

export function createResourceStores(engine: Transactions): ResourceStores {
  const stores = resourceNames.map(name => [
    resources[name].plural,
    new LowdbResource(engine, name),
  ])
  return Object.fromEntries(stores) as ResourceStores
}

export class LowdbPeople extends LowdbAccountRecords<'person'> implements PersonStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    super(engine, 'person')
    this.#engine = engine
  }

  override async get(id: string): Promise<Person | undefined> {
    return this.#engine.data.person.get(id)
  }

  async findByEmail(email: string): Promise<Person | undefined> {
    return await this.get(this.#engine.indexes.personIdsByEmail.get(normalizeEmail(email)) ?? '')
  }

  override async change(
    id: string,
    decide: (current: Person | undefined) => Person | null,
  ): Promise<Person | undefined> {
    return await this.#engine.transact(transaction => {
      const current = transaction.get('person', id)
      const decided = decide(current)
      if (decided === (current ?? null)) return current
      if (decided !== null && this.#engine.indexes.isEmailTaken(decided.email, id))
        throw emailTakenError(decided)
      transaction.put('person', id, decided)
      transaction.notify((decided ?? current)?.account ?? '')
      return decided ?? undefined
    })
  }
}
