import type { Person } from '../../../domain/account/person.js'
import { normalizeName } from '../../../domain/contact/contact.js'
import type { ListPageQuery } from '../../../domain/list-key.js'
import type { Mailbox } from '../../../resources/mailbox.js'
import {
  type AccountListStore,
  type AccountRecordStore,
  aliasTakenError,
  emailTakenError,
  type MailboxStore,
  nameTakenError,
  normalizeEmail,
  type PersonStore,
} from '../account-store.js'
import type { Transactions } from './engine/engine.js'
import type { MailboxIndex } from './indexes/mailbox-index.js'
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

export class LowdbAccountLists<K extends 'capability' | 'mailbox' | 'group' | 'template'>
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

export class LowdbNamedRecords<K extends 'group' | 'template'> extends LowdbAccountLists<K> {
  readonly #engine: Transactions
  readonly #kind: K

  constructor(engine: Transactions, kind: K) {
    super(engine, kind)
    this.#engine = engine
    this.#kind = kind
  }

  override async change(
    id: string,
    decide: (current: Records[K] | undefined) => Records[K] | null,
  ): Promise<Records[K] | undefined> {
    return await super.change(id, current => {
      const decided = decide(current)
      if (decided !== null && this.#isTaken(id, decided)) throw nameTakenError(decided.name)
      return decided
    })
  }

  #isTaken(id: string, { account, name }: Records[K]): boolean {
    const { data, indexes } = this.#engine
    const ids = indexes.owned[this.#kind].listAfter(account)
    const others = ids.filter(each => each !== id).map(each => data[this.#kind].get(each)?.name)
    return others.some(each => each !== undefined && normalizeName(each) === normalizeName(name))
  }
}

export class LowdbMailboxes extends LowdbAccountLists<'mailbox'> implements MailboxStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    super(engine, 'mailbox')
    this.#engine = engine
  }

  async findByAlias(alias: string): Promise<Mailbox | undefined> {
    return await this.#find(index => index.findIdByAlias(alias))
  }

  async findByHash(hash: string): Promise<Mailbox | undefined> {
    return await this.#find(index => index.findIdByHash(hash))
  }

  override async change(
    id: string,
    decide: (current: Mailbox | undefined) => Mailbox | null,
  ): Promise<Mailbox | undefined> {
    return await super.change(id, current => {
      const decided = decide(current)
      const alias = decided?.alias
      if (alias === undefined) return decided
      const holder = this.#engine.indexes.owned.mailbox.findIdByAlias(alias) ?? id
      if (holder !== id) throw aliasTakenError(alias)
      return decided
    })
  }

  async #find(findId: (index: MailboxIndex) => string | undefined): Promise<Mailbox | undefined> {
    const { data, indexes } = this.#engine
    return await this.#engine.read(() => data.mailbox.get(findId(indexes.owned.mailbox) ?? ''))
  }
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
