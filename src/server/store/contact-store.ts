import type { Contact } from '../../domain/contact/contact.js'

/** A page of an account's contacts to read from the store, in order of their keys. */
export interface ContactQuery {
  readonly count: number
  /** Only the store's contacts after this key (`buildContactKey`). */
  readonly after?: string | undefined
  /** Identifier of a group; only its members. */
  readonly group?: string | undefined
  /** Only contacts whose key contains this normalized text. */
  readonly words?: string | undefined
}

/** Decides on a contact: `null` removes it, undefined or the same object changes nothing. */
export type DecideContact = (
  number: string,
  current: Contact | undefined,
) => Contact | null | undefined

export interface ContactStore {
  /** Finds the stored contacts of canonical numbers, in this order. */
  find(account: string, numbers: readonly string[]): Promise<Contact[]>
  getPage(account: string, query: ContactQuery): Promise<Contact[]>
  count(account: string): Promise<number>
  /** Counts the members of an account's groups in the store, by the identifier of the group. */
  countMembers(account: string): Promise<ReadonlyMap<string, number>>
  /**
   * Creates, replaces or removes the stored contacts of distinct numbers as decided; the number of
   * a contact never changes. `decide` may run again. Many contacts take several commits, between
   * which other work runs. Throws `invalid_state` if the account would have more than its limit
   * allows.
   */
  changeAll(account: string, numbers: readonly string[], decide: DecideContact): Promise<void>
}
