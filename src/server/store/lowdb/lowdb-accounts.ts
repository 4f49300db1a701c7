import { setImmediate } from 'node:timers/promises'
import type { Account, Token } from '../../../domain/account/account.js'
import { buildListKey, type ListPageQuery } from '../../../domain/list-key.js'
import { resourceNames } from '../../../resources/resources.js'
import {
  type AccountSelection,
  type AccountStore,
  emailTakenError,
  type LatestTokens,
  type LatestTokensQuery,
  normalizeEmail,
  type TokenOwner,
  type TokenStore,
} from '../account-store.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { getTokenOwner } from './indexes/indexes.js'
import { getMessageTable } from './records/collections.js'

/** Tokens that a sweep of the store looks at, and removes, in one turn of the event loop. */
const scannedPerTurn = 10_000
const removedPerTurn = 500

export class LowdbAccounts implements AccountStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async get(id: string): Promise<Account | undefined> {
    return this.#engine.data.account.get(id)
  }

  async has(id: string): Promise<boolean> {
    return this.#engine.data.account.has(id)
  }

  async findByEmail(email: string): Promise<Account | undefined> {
    return await this.get(this.#engine.indexes.accountIdsByEmail.get(normalizeEmail(email)) ?? '')
  }

  async findBySecretKey(key: string): Promise<Account | undefined> {
    return await this.get(this.#engine.indexes.accountIdsBySecretKey.get(key) ?? '')
  }

  async list(selection?: AccountSelection): Promise<Account[]> {
    const all = await this.#engine.read(() => [...this.#engine.data.account.values()])
    if (selection === undefined) return all
    return all.filter(({ mode, ownerSince }) =>
      selection === 'owners' ? ownerSince !== null : mode === 'at-most-once',
    )
  }

  async getPage(query: ListPageQuery): Promise<Account[]> {
    const { data, indexes } = this.#engine
    return await this.#engine.read(() =>
      indexes.accounts
        .getPage('', query)
        .map(id => data.account.get(id))
        .filter(found => found !== undefined),
    )
  }

  async create(account: Account): Promise<void> {
    await this.#engine.transact(transaction => {
      if (this.#engine.indexes.isEmailTaken(account.email, '')) throw emailTakenError(account)
      transaction.put('account', account.id, account)
    })
  }

  async createFirst(account: Account): Promise<boolean> {
    return await this.#engine.transact(transaction => {
      if (this.#engine.data.account.size > 0) return false
      transaction.put('account', account.id, account)
      return true
    })
  }

  async change(id: string, decide: (account: Account) => Account): Promise<Account | undefined> {
    return await this.#engine.transact(transaction => {
      const account = transaction.get('account', id)
      if (account === undefined) return undefined
      const decided = decide(account)
      if (this.#engine.indexes.isEmailTaken(decided.email, id)) throw emailTakenError(decided)
      if (decided !== account) transaction.put('account', id, decided)
      return decided
    })
  }

  async remove(id: string): Promise<void> {
    await this.#engine.transact(transaction => {
      transaction.put('meta', 'events', { seq: this.#engine.indexes.events.lastSeq })
      const { subscriptions } = transaction.notify(id)
      for (const subscription of transaction.values('subscription')) {
        if (subscription.account === id) subscriptions.push(subscription.id)
      }
      removeMessages(this.#engine, transaction, id)
      for (const kind of accountRecordKinds) removeAccountRecords(transaction, kind, id)
      for (const kind of ['block', 'once', 'meta', 'contact'] as const)
        removeByKeyPrefix(transaction, kind, `${id} `)
      transaction.put('account', id, null)
    })
  }
}

export class LowdbTokens implements TokenStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async get(id: string): Promise<Token | undefined> {
    return this.#engine.data.token.get(id)
  }

  async put(token: Token, most = Number.MAX_SAFE_INTEGER): Promise<void> {
    await this.#engine.transact(transaction => {
      const { tokens } = this.#engine.indexes
      const owner = getTokenOwner(token)
      const oldest = tokens.listAfter(owner, '', Math.max(0, tokens.count(owner) + 1 - most))
      for (const id of oldest) removeToken(transaction, transaction.get('token', id))
      transaction.put('token', token.id, token)
    })
  }

  async countMost(account: string): Promise<number> {
    const { tokens, owned } = this.#engine.indexes
    const people = owned.person.listAfter(account)
    const owners = [
      ...(['api', 'app', 'login'] as const).map(kind => getTokenOwner({ account, kind })),
      ...people.map(person => getTokenOwner({ account, person, kind: 'login' })),
    ]
    return Math.max(...owners.map(owner => tokens.count(owner)))
  }

  async extend(id: string, expiresAt: number): Promise<void> {
    await this.#engine.transact(transaction => {
      const token = transaction.get('token', id)
      if (token === undefined || token.expiresAt >= expiresAt) return
      transaction.put('token', id, { ...token, expiresAt })
    })
  }

  async list(owner: TokenOwner): Promise<Token[]> {
    return await this.#engine.read(() => this.#getAll(this.#listIds(owner)))
  }

  async listLatest(owner: TokenOwner, { now, count }: LatestTokensQuery): Promise<LatestTokens> {
    const { tokens } = this.#engine.indexes
    const key = getTokenOwner(owner)
    return await this.#engine.read(() => {
      const total = tokens.countAfter(key, buildListKey(now + 1, ''))
      const page = { count: Math.min(count, total), order: 'desc' } as const
      return { tokens: this.#getAll(tokens.getPage(key, page)), total }
    })
  }

  async remove(which: Pick<Token, 'id'> | TokenOwner): Promise<void> {
    await this.#engine.transact(transaction => {
      const ids = 'id' in which ? [which.id] : this.#listIds(which)
      for (const id of ids) removeToken(transaction, transaction.get('token', id))
    })
  }

  async removeExpired(now: number): Promise<void> {
    const expired: string[] = []
    let scanned = 0
    for (const { id, expiresAt } of this.#engine.data.token.values()) {
      if (expiresAt < now) expired.push(id)
      scanned += 1
      if (scanned % scannedPerTurn === 0) await setImmediate()
    }
    for (let start = 0; start < expired.length; start += removedPerTurn) {
      await this.#engine.transact(transaction => {
        for (const id of expired.slice(start, start + removedPerTurn)) {
          const token = transaction.get('token', id)
          if (token !== undefined && token.expiresAt < now) removeToken(transaction, token)
        }
      })
      await setImmediate()
    }
  }

  #getAll(ids: readonly string[]): Token[] {
    return ids.map(id => this.#engine.data.token.get(id)).filter(found => found !== undefined)
  }

  #listIds(owner: TokenOwner): string[] {
    return this.#engine.indexes.tokens.listAfter(getTokenOwner(owner))
  }
}

/** Removes a token and notifies the account's listeners, so that connections opened with it end. */
function removeToken(transaction: Transaction, token: Token | undefined): void {
  if (token === undefined) return
  transaction.put('token', token.id, null)
  transaction.notify(token.account)
}

const accountRecordKinds = [
  ...(['event', 'subscription', 'token'] as const),
  ...(['person', 'invitation', 'capability', 'phone'] as const),
  ...resourceNames,
  ...(['received', 'tally'] as const),
]

function removeMessages(
  { data, indexes }: Transactions,
  transaction: Transaction,
  account: string,
): void {
  const messages = getMessageTable(data)
  for (const slot of indexes.messages.getList(account).listSlots()) {
    const id = messages.getAt(slot)?.id
    if (id !== undefined) transaction.put('message', id, null)
  }
}

function removeAccountRecords(
  transaction: Transaction,
  kind: (typeof accountRecordKinds)[number],
  account: string,
): void {
  const keys = [...transaction.pairs(kind)].filter(([, record]) => record.account === account)
  for (const [key] of keys) transaction.put(kind, key, null)
}

function removeByKeyPrefix(
  transaction: Transaction,
  kind: 'block' | 'once' | 'meta' | 'contact',
  prefix: string,
): void {
  const keys = [...transaction.pairs(kind)].filter(([key]) => key.startsWith(prefix))
  for (const [key] of keys) transaction.put(kind, key, null)
}
