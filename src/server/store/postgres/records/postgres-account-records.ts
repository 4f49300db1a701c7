import type { AccountRecord } from '../../../../domain/account/account-record.js'
import type { Person } from '../../../../domain/account/person.js'
import { normalizeName } from '../../../../domain/contact/contact.js'
import type { ListPageQuery } from '../../../../domain/list-key.js'
import type { Mailbox } from '../../../../resources/mailbox.js'
import { ExpiringCache } from '../../../../util/collections/expiring-cache.js'
import {
  type AccountListStore,
  aliasTakenError,
  emailTakenError,
  type MailboxStore,
  nameTakenError,
  normalizeEmail,
  type PersonStore,
} from '../../account-store.js'
import type { AuditedKind } from '../../audit-store.js'
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

export class PostgresNamedRecords<
  T extends AccountRecord & { readonly name: string },
> extends PostgresAccountRecords<T> {
  constructor(context: RecordContext, name: string, kind: AuditedKind) {
    super(context, {
      ...{ name, kind },
      columns: [{ name: 'name_key', get: record => normalizeName(record.name) }],
      createTakenError: record => nameTakenError(record.name),
    })
  }
}

export class PostgresMailboxes extends PostgresAccountRecords<Mailbox> implements MailboxStore {
  constructor(context: RecordContext) {
    super(context, {
      ...{ name: 'mailbox', kind: 'mailbox' },
      columns: [
        { name: 'alias', get: ({ alias }) => alias },
        { name: 'hash', get: ({ hash }) => hash },
      ],
      createTakenError: ({ alias = '' }) => aliasTakenError(alias),
    })
  }

  async findByAlias(alias: string): Promise<Mailbox | undefined> {
    return (await this.table.list('alias = $1', [alias]))[0]
  }

  async findByHash(hash: string): Promise<Mailbox | undefined> {
    return (await this.table.list('hash = $1', [hash]))[0]
  }
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
