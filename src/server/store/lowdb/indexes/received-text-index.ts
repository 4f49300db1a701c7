import type { ReceivedText } from '../../../../domain/phone/received-text.js'
import { ReplyTimes } from './reply-times.js'
import { SortedList } from './sorted-list.js'

/** The identifiers of an account's received texts, in order. */
type IdList = SortedList<string, string>

/** Index of the received texts of each account, and by idempotency key. */
export class ReceivedTextIndex {
  readonly #lists = new Map<string, IdList>()
  readonly #idsByKey = new Map<string, string>()

  readonly #replies = new ReplyTimes()

  update(before: ReceivedText | undefined, after: ReceivedText | undefined): void {
    if (before !== undefined) this.#remove(before)
    if (after === undefined) return
    this.#add(after)
    this.#replies.add(after)
  }

  /** At most `count` received texts of an account before `before`, the newest first. */
  getPage(account: string, count: number, before: string | undefined): string[] {
    return this.#lists.get(account)?.listBefore(before, count).reverse() ?? []
  }

  findByKey(account: string, key: string): string | undefined {
    return this.#idsByKey.get(`${account} ${key}`)
  }

  /** When the store's latest automatic replies to a sender were created; see {@link ReplyTimes}. */
  listReplies(received: ReceivedText): number[] {
    return this.#replies.list(received)
  }

  lists(): IterableIterator<[account: string, IdList], undefined> {
    return this.#lists.entries()
  }

  #add({ id, account, once }: ReceivedText): void {
    const list = this.#lists.get(account) ?? new SortedList((each: string) => each)
    this.#lists.set(account, list)
    list.add(id)
    if (once !== undefined) this.#idsByKey.set(`${account} ${once.key}`, id)
  }

  #remove({ id, account, once }: ReceivedText): void {
    const list = this.#lists.get(account)
    list?.remove(id)
    if (list?.first === undefined) this.#lists.delete(account)
    if (once !== undefined) this.#idsByKey.delete(`${account} ${once.key}`)
  }
}
