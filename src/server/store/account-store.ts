import type { Account, Token, TokenKind } from '../../domain/account/account.js'
import type { AccountRecord } from '../../domain/account/account-record.js'

/** Store of the accounts. An email address and a secret key belong to at most one account. */
export interface AccountStore {
  get(id: string): Promise<Account | undefined>
  /** Finds an account by its email address, whose case it ignores. */
  findByEmail(email: string): Promise<Account | undefined>
  findBySecretKey(key: string): Promise<Account | undefined>
  list(): Promise<Account[]>
  /** Stores a new account. Throws `invalid_parameter` if the email address is taken. */
  create(account: Account): Promise<void>
  /**
   * Changes an account in the store. Throws `invalid_parameter` if the new email address is taken.
   */
  change(id: string, decide: (account: Account) => Account): Promise<Account | undefined>
  /** Removes an account from the store with everything that belongs to it. */
  remove(id: string): Promise<void>
}

export interface TokenStore {
  get(id: string): Promise<Token | undefined>
  put(token: Token): Promise<void>
  /**
   * Changes when a stored token expires, in milliseconds since the epoch; ignores a removed token.
   */
  extend(id: string, expiresAt: number): Promise<void>
  remove(id: string): Promise<void>
  removeByKind(account: string, kinds: readonly TokenKind[]): Promise<void>
  removeExpired(now: number): Promise<void>
}

/** Store of records that an account has few of: secret URLs, mailboxes and phones. */
export interface AccountRecordStore<T extends AccountRecord> {
  get(id: string): Promise<T | undefined>
  /** Lists an account's records in order of creation, or those of all accounts. */
  list(account?: string): Promise<T[]>
  /**
   * Creates, replaces or (`null`) removes a stored record; nothing changes if `decide` returns the
   * same object. Resolves to the new record.
   */
  change(id: string, decide: (current: T | undefined) => T | null): Promise<T | undefined>
}
