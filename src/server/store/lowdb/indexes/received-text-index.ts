import type { ReceivedText } from '../../../../domain/phone/received-text.js'
import { SortedIds } from './sorted-ids.js'

/** The received texts of each account in order of their identifiers, and by the keys of the requests that told of them. */
export class ReceivedTextIndex {
  readonly #lists = new Map<string, SortedIds>()
  readonly #keys = new Map<string, string>()

  /** Follows a text that was kept or removed. */
  update(before: ReceivedText | undefined, after: ReceivedText | undefined): void {
    if (before !== undefined) this.#remove(before)
    if (after !== undefined) this.#add(after)
  }

  /** Identifiers of an account's texts, the newest first: at most `count`, those before `before`. */
  getPage(account: string, count: number, before: string | undefined): string[] {
    return this.#lists.get(account)?.listBefore(before, count) ?? []
  }

  /** The text that a request with this key told of. */
  findByKey(account: string, key: string): string | undefined {
    return this.#keys.get(`${account} ${key}`)
  }

  /** The accounts that have texts, with their lists. */
  lists(): IterableIterator<[account: string, SortedIds], undefined> {
    return this.#lists.entries()
  }

  #add({ id, account, once }: ReceivedText): void {
    const list = this.#lists.get(account) ?? new SortedIds()
    this.#lists.set(account, list)
    list.add(id)
    if (once !== undefined) this.#keys.set(`${account} ${once.key}`, id)
  }

  #remove({ id, account, once }: ReceivedText): void {
    const list = this.#lists.get(account)
    list?.remove(id)
    if (list?.first === undefined) this.#lists.delete(account)
    if (once !== undefined) this.#keys.delete(`${account} ${once.key}`)
  }
}
