import type { AccountRecord } from '../../../../domain/account/account-record.js'
import type { Person } from '../../../../domain/account/person.js'
import type { ListPageQuery } from '../../../../domain/list-key.js'
import type { Resource } from '../../../../resources/resource.js'
import {
  type ResourceName,
  type ResourceRecords,
  resourceNames,
  resources,
} from '../../../../resources/resources.js'
import { ExpiringCache } from '../../../../util/collections/expiring-cache.js'
import {
  type AccountListStore,
  emailTakenError,
  normalizeEmail,
  type PersonStore,
} from '../../account-store.js'
import {
  createTakenError,
  listUniqueKeys,
  type ResourceStore,
  type ResourceStores,
} from '../../resource-store.js'
import { cacheRules } from './postgres-accounts.js'
import { notifyOf, type RecordContext } from './record-context.js'
import { RecordTable, type RecordTableOptions } from './record-table.js'

export class PostgresAccountRecords<T extends AccountRecord> implements AccountListStore<T> {
  protected readonly table: RecordTable<T>

  constructor(context: RecordContext, { columns, ...options }: RecordTableOptions<T>) {
    const account = { name: 'account', get: (record: T) => record.account }
    this.table = new RecordTable(context, { ...options, columns: [account, ...columns] })
  }

  async get(id: string): Promise<T | undefined> {
    return await this.table.get(id)
  }

  async list(account?: string): Promise<T[]> {
    if (account === undefined) return await this.table.list()
    return await this.table.list('account = $1', [account])
  }

  async getPage(account: string, query: ListPageQuery): Promise<T[]> {
    return await this.table.getPage(query, 'account = $1', [account])
  }

  async count(account: string): Promise<number> {
    return await this.table.count('account = $1', [account])
  }

  async change(id: string, decide: (current: T | undefined) => T | null): Promise<T | undefined> {
    return await this.table.change(id, decide)
  }
}

/** The records of a resource, with columns for the values that no two of them share. */
class PostgresResource<K extends ResourceName>
  extends PostgresAccountRecords<ResourceRecords[K]>
  implements ResourceStore<K>
{
  constructor(context: RecordContext, kind: K) {
    const resource: Resource = resources[kind]
    super(context, {
      ...{ name: resource.table ?? kind, kind },
      columns: listUniqueKeys(resource).map(({ column, read }) => ({ name: column, get: read })),
      createTakenError: record => createTakenError(resource, record),
    })
  }

  async findBy(key: string, value: string): Promise<ResourceRecords[K] | undefined> {
    return (await this.table.list(`${key} = $1`, [value]))[0]
  }
}

export function createResourceStores(context: RecordContext): ResourceStores {
  const stores = resourceNames.map(name => [
    resources[name].plural,
    new PostgresResource(context, name),
  ])
  return Object.fromEntries(stores) as ResourceStores
}

export class PostgresPeople extends PostgresAccountRecords<Person> implements PersonStore {
  readonly #context: RecordContext
  readonly #cache: ExpiringCache<Person | undefined>

  constructor(context: RecordContext) {
    super(context, {
      ...{ name: 'person', kind: 'person' },
      columns: [{ name: 'email', get: ({ email }) => normalizeEmail(email) }],
      createTakenError: emailTakenError,
    })
    this.#context = context
    const load = async (id: string) => await this.table.get(id)
    const rules = { ...cacheRules, load, monotonic: context.monotonic }
    this.#cache = new ExpiringCache(rules)
  }

  override async get(id: string): Promise<Person | undefined> {
    return await this.#cache.get(id)
  }

  async findByEmail(email: string): Promise<Person | undefined> {
    return (await this.table.list('email = $1', [normalizeEmail(email)]))[0]
  }

  /** Tells the other nodes at once, whose requests then see the person's new role. */
  override async change(
    id: string,
    decide: (current: Person | undefined) => Person | null,
  ): Promise<Person | undefined> {
    let account: string | undefined
    try {
      return await this.table.change(id, current => {
        const decided = decide(current)
        account = (decided ?? current)?.account
        return decided
      })
    } finally {
      this.#cache.delete(id)
      if (account !== undefined) notifyOf(this.#context, account)
    }
  }

  forgetAll(): void {
    this.#cache.clear()
  }
}
