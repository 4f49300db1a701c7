import type { DoNotTextEntry } from '../../domain/account/account.js'
import type { ListPageQuery } from '../../domain/list-key.js'
import type { Message, MessageChange } from '../../domain/message/message.js'

/** Decides on a message that may wait for a number just added, and may have a lease. */
export type DecideWaiting = (message: Message | undefined) => MessageChange

export interface AddedEntry {
  /** The entry of the number as the store has it. */
  readonly entry: DoNotTextEntry
  readonly isNew: boolean
}

/** Store of the Do Not Text lists, one a scope: an account, or `*` for the whole relay. */
export interface DoNotTextStore {
  /** Lists a page of the entries. */
  getPage(scope: string, query: ListPageQuery): Promise<DoNotTextEntry[]>
  /** Counts the entries; the store does not count further than `most`. */
  count(scope: string, most: number): Promise<number>
  findListed(scope: string, numbers: readonly string[]): Promise<DoNotTextEntry[]>
  /**
   * Stores distinct Do Not Text entries in one commit at `now`, in milliseconds since the epoch.
   * Existing entries do not change; a new one of an account records `number.blocked`. A store may
   * decide on some waiting messages in the same commit.
   */
  add(entries: readonly DoNotTextEntry[], now: number, decide: DecideWaiting): Promise<AddedEntry[]>
  /**
   * Removes a Do Not Text entry from the store at `now`, records `number.unblocked` for its
   * account, and resolves to the entry; undefined if the number was not listed.
   */
  remove(scope: string, number: string, now: number): Promise<DoNotTextEntry | undefined>
}
