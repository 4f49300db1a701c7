import type { DoNotTextEntry } from '../../domain/account/account.js'
import type { ListPageQuery } from '../../domain/list-key.js'
import type { Message, MessageChange } from '../../domain/message/message.js'

/** Store of the Do Not Text lists, one a scope: an account, or `*` for the whole relay. */
export interface DoNotTextStore {
  /** Lists all entries in order of their times; other work runs while a long list is read. */
  list(scope: string): Promise<DoNotTextEntry[]>
  /** Lists a page of the entries. */
  getPage(scope: string, query: ListPageQuery): Promise<DoNotTextEntry[]>
  /** Counts the entries; the store does not count further than `most`. */
  count(scope: string, most: number): Promise<number>
  findListed(scope: string, numbers: readonly string[]): Promise<DoNotTextEntry[]>
  /** Stores one Do Not Text entry, as {@link addAll} does. */
  add(entry: DoNotTextEntry, decide: (message: Message) => MessageChange): Promise<DoNotTextEntry>
  /**
   * Stores Do Not Text entries, and decides at `now`, in milliseconds since the epoch, on every
   * waiting message to their numbers that has no lease. Existing entries do not change; a new one
   * of an account records `number.blocked`. Many entries or messages take several commits, between
   * which other work runs. Resolves to the entries as stored.
   */
  addAll(
    entries: readonly DoNotTextEntry[],
    now: number,
    decide: (message: Message) => MessageChange,
  ): Promise<DoNotTextEntry[]>
  /**
   * Removes a Do Not Text entry from the store at `now`, records `number.unblocked` for its
   * account, and resolves to the entry; undefined if the number was not listed.
   */
  remove(scope: string, number: string, now: number): Promise<DoNotTextEntry | undefined>
}
