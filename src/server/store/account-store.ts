import type { Account, Token } from '../../domain/account/account.js'
import type { AccountRecord } from '../../domain/account/account-record.js'
import type { Person } from '../../domain/account/person.js'
import type { ListPageQuery } from '../../domain/list-key.js'
import { RelayError } from '../../errors.js'

/** In at-most-once mode, or possibly the owner's. */
export type AccountSelection = 'at-most-once' | 'owners'

/**
 * Store of the accounts. A secret key belongs to at most one account, and an email address to at
 * most one account or person.
 */
export interface AccountStore {
  /** Gets an account of the store, as it was a second ago at most. */
  get(id: string): Promise<Account | undefined>
  /** Whether the store has an account now. */
  has(id: string): Promise<boolean>
  /** Finds an account by its email address, whose case it ignores. */
  findByEmail(email: string): Promise<Account | undefined>
  findBySecretKey(key: string): Promise<Account | undefined>
  /** @param selection which accounts; those that may be the owner's are few. @default all */
  list(selection?: AccountSelection): Promise<Account[]>
  /** Lists a page of the store's accounts in order of creation. */
  getPage(query: ListPageQuery): Promise<Account[]>
  /** Stores a new account. Throws `invalid_parameter` if the email address is taken. */
  create(account: Account): Promise<void>
  /**
   * Stores an account if the store has none; resolves to whether it did. Of several at the same
   * time, also on several nodes, one is stored.
   */
  createFirst(account: Account): Promise<boolean>
  /**
   * Changes an account in the store. Throws `invalid_parameter` if the new email address is taken.
   */
  change(id: string, decide: (account: Account) => Account): Promise<Account | undefined>
  /** Removes an account from the store with everything that belongs to it. */
  remove(id: string): Promise<void>
}

/** Whose a token is: a key of an account, or who signs in, the account itself or a person of it. */
export type TokenOwner = Pick<Token, 'account' | 'kind' | 'person'>

export interface LatestTokensQuery {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly count: number
}

export interface LatestTokens {
  /** The tokens that end last, in this order. */
  readonly tokens: Token[]
  readonly total: number
}

export interface TokenStore {
  get(id: string): Promise<Token | undefined>
  /**
   * Stores a token. Of the same key, or the same one who signs in, at most `most` remain: those
   * that end last; without it all.
   */
  put(token: Token, most?: number): Promise<void>
  /** Counts the tokens of the key or person of an account that has the most of them. */
  countMost(account: string): Promise<number>
  /**
   * Lets a stored token expire at `expiresAt`, in milliseconds since the epoch, unless it expires
   * later already; ignores a removed token.
   */
  extend(id: string, expiresAt: number): Promise<void>
  /** Lists the stored tokens of an owner, also expired ones. */
  list(owner: TokenOwner): Promise<Token[]>
  /** Lists those of {@link list} that have not expired, and end last; counts all of them. */
  listLatest(owner: TokenOwner, query: LatestTokensQuery): Promise<LatestTokens>
  /** Removes a stored token, or those of an owner. */
  remove(which: Pick<Token, 'id'> | TokenOwner): Promise<void>
  removeExpired(now: number): Promise<void>
}

/**
 * Store of records that belong to an account, such as its phones and invitations.
 */
export interface AccountRecordStore<T extends AccountRecord> {
  get(id: string): Promise<T | undefined>
  /** Lists an account's records in order of creation, or those of all accounts. */
  list(account?: string): Promise<T[]>
  count(account: string): Promise<number>
  /**
   * Creates, replaces or (`null`) removes a stored record; nothing changes if `decide` returns the
   * same object. Resolves to the new record. Throws `invalid_state` for a new one if the account
   * has as many as its limit allows.
   */
  change(id: string, decide: (current: T | undefined) => T | null): Promise<T | undefined>
}

/** Store of records that an account may have many of: secret URLs, mailboxes. */
export interface AccountListStore<T extends AccountRecord> extends AccountRecordStore<T> {
  /** Lists a page of an account's records in order of creation. */
  getPage(account: string, query: ListPageQuery): Promise<T[]>
}

/**
 * Store of the people. `get` has a person as they were a second ago at most. An email address
 * belongs to at most one person or account: `change` throws `invalid_parameter` if it is taken.
 */
export interface PersonStore extends AccountRecordStore<Person> {
  /** Finds a person by their email address, whose case it ignores. */
  findByEmail(email: string): Promise<Person | undefined>
}

export function emailTakenError({ email }: Pick<Account, 'email'>): RelayError {
  return new RelayError('invalid_parameter', `\`email\` ${email} already signs in to an account.`)
}

/** The key by which the store finds an account by its email address, whose case it ignores. */
export function normalizeEmail(email: string): string {
  return email.toLowerCase()
}
