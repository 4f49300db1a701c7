import type { ReceivedText } from '../../../../domain/phone/received-text.js'
import type { ReceivedTextQuery } from '../../received-text-store.js'
import { ReplyTimes } from './reply-times.js'
import { SortedList } from './sorted-list.js'

type IdList = SortedList<string, string>

export class ReceivedTextIndex {
  readonly #lists = new Map<string, IdList>()
  readonly #listsByNumber = new Map<string, IdList>()
  readonly #idsByKey = new Map<string, string>()

  readonly #replies = new ReplyTimes()

  update(before: ReceivedText | undefined, after: ReceivedText | undefined): void {
    if (before !== undefined) this.#remove(before)
    if (after === undefined) return
    this.#add(after)
    this.#replies.add(after)
  }

  getPage({ account, count, before, number }: ReceivedTextQuery): string[] {
    const list =
      number === undefined
        ? this.#lists.get(account)
        : this.#listsByNumber.get(`${account} ${number}`)
    return list?.listBefore(before, count).reverse() ?? []
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

  #add({ id, account, number, once }: ReceivedText): void {
    addTo(this.#lists, account, id)
    if (number !== undefined) addTo(this.#listsByNumber, `${account} ${number}`, id)
    if (once !== undefined) this.#idsByKey.set(`${account} ${once.key}`, id)
  }

  #remove({ id, account, number, once }: ReceivedText): void {
    removeFrom(this.#lists, account, id)
    if (number !== undefined) removeFrom(this.#listsByNumber, `${account} ${number}`, id)
    if (once !== undefined) this.#idsByKey.delete(`${account} ${once.key}`)
  }
}

function addTo(lists: Map<string, IdList>, name: string, id: string): void {
  const list = lists.get(name) ?? new SortedList((each: string) => each)
  lists.set(name, list)
  list.add(id)
}

function removeFrom(lists: Map<string, IdList>, name: string, id: string): void {
  const list = lists.get(name)
  list?.remove(id)
  if (list?.first === undefined) lists.delete(name)
}
