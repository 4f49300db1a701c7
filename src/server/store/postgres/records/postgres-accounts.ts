import type { Account } from '../../../../domain/account/account.js'
import type { ListPageQuery } from '../../../../domain/list-key.js'
import { ExpiringCache } from '../../../../util/collections/expiring-cache.js'
import {
  type AccountSelection,
  type AccountStore,
  emailTakenError,
  normalizeEmail,
} from '../../account-store.js'
import { createChange } from '../audit/audited-statement.js'
import { removeAccount } from './account-removal.js'
import { notifyOf, type RecordContext, runChange } from './record-context.js'
import { RecordTable } from './record-table.js'

/** Rules of the caches of accounts and tokens: changes of other nodes take effect after 1 s. */
export const cacheRules = { lifetime: 1000, size: 10_000 } as const

/** Of several first accounts at the same time, the unique column `is_first` lets one in. */
const insertFirst = createChange(
  'account-insert-first',
  append => `
    with inserted as (
      insert into account
        (id, op, doc, email, secret_key, created_at, version, is_first)
      select $1, $2, $3, $4, $5, $6, 1, true where not exists (select from account)
      on conflict do nothing returning id)${append('exists (select from inserted)')}
    select id from inserted union all select id from account where id = $1 and op = $2`,
)

const selections: Readonly<Record<AccountSelection, string>> = {
  'at-most-once': `doc ->> 'mode' = 'at-most-once'`,
  owners: `json_typeof(doc -> 'ownerSince') is distinct from 'null'`,
}

export class PostgresAccounts implements AccountStore {
  readonly #context: RecordContext
  readonly #table: RecordTable<Account>
  readonly #cache: ExpiringCache<Account | undefined>
  readonly #onSubscriptionsRemoved: (ids: readonly string[]) => void

  constructor(context: RecordContext, onSubscriptionsRemoved: (ids: readonly string[]) => void) {
    this.#context = context
    this.#onSubscriptionsRemoved = onSubscriptionsRemoved
    this.#table = new RecordTable<Account>(context, {
      name: 'account',
      kind: 'account',
      columns: [
        { name: 'email', get: ({ email }) => normalizeEmail(email) },
        { name: 'secret_key', get: ({ secretKey }) => secretKey },
      ],
      createTakenError: emailTakenError,
    })
    const load = async (id: string) => await this.#table.get(id)
    const rules = { ...cacheRules, load, monotonic: context.monotonic }
    this.#cache = new ExpiringCache(rules)
  }

  async get(id: string): Promise<Account | undefined> {
    return await this.#cache.get(id)
  }

  async has(id: string): Promise<boolean> {
    return (await this.#table.get(id)) !== undefined
  }

  async findByEmail(email: string): Promise<Account | undefined> {
    return (await this.#table.list('email = $1', [normalizeEmail(email)]))[0]
  }

  async findBySecretKey(key: string): Promise<Account | undefined> {
    return (await this.#table.list('secret_key = $1', [key]))[0]
  }

  async list(selection?: AccountSelection): Promise<Account[]> {
    return await this.#table.list(selection && selections[selection])
  }

  async getPage(query: ListPageQuery): Promise<Account[]> {
    return await this.#table.getPage(query)
  }

  async create(account: Account): Promise<void> {
    const isInserted = await this.#table.insert(account)
    this.#cache.delete(account.id)
    if (!isInserted) throw emailTakenError(account)
  }

  async createFirst(account: Account): Promise<boolean> {
    const { id, email, secretKey, createdAt } = account
    const op = this.#context.createOperation()
    const key = normalizeEmail(email)
    const values = [id, op, JSON.stringify(account), key, secretKey, createdAt]
    const changes = [{ kind: 'account', before: undefined, after: account }] as const
    const { rows } = await runChange(this.#context, insertFirst, values, changes)
    this.#cache.delete(id)
    if (rows.length > 0) this.#context.audit?.confirm(changes)
    return rows.length > 0
  }

  async change(id: string, decide: (account: Account) => Account): Promise<Account | undefined> {
    try {
      return await this.#table.change(id, current => current && decide(current))
    } finally {
      notifyOf(this.#context, id)
    }
  }

  async remove(id: string): Promise<void> {
    const before = this.#context.audit && (await this.#table.get(id))
    const changes = before ? [{ kind: 'account', before, after: undefined } as const] : []
    this.#onSubscriptionsRemoved(await removeAccount(this.#context, id, changes))
  }

  forget(id: string): void {
    this.#cache.delete(id)
  }
}
