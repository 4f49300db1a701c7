import { getListKeyId, type ListPageQuery } from '../../../../domain/list-key.js'
import { SortedList } from './sorted-list.js'

export class OwnedIndex<T> {
  readonly #lists = new Map<string, SortedList<string, string>>()
  readonly #getOwner: (record: T) => string
  readonly #getKey: (record: T) => string

  constructor(getOwner: (record: T) => string, getKey: (record: T) => string) {
    this.#getOwner = getOwner
    this.#getKey = getKey
  }

  update(before: T | undefined, after: T | undefined): void {
    const [old, key] = [before && this.#getKey(before), after && this.#getKey(after)]
    if (old === key) return
    if (before !== undefined && old !== undefined) this.#remove(this.#getOwner(before), old)
    if (after !== undefined && key !== undefined) this.#add(this.#getOwner(after), key)
  }

  count(owner: string): number {
    return this.#lists.get(owner)?.size ?? 0
  }

  countAfter(owner: string, key: string): number {
    return this.#lists.get(owner)?.countAfter(key) ?? 0
  }

  getPage(owner: string, { count, after, order = 'asc' }: ListPageQuery): string[] {
    return order === 'asc'
      ? this.listAfter(owner, after, count)
      : (this.#lists.get(owner)?.listBefore(after, count).map(getListKeyId).reverse() ?? [])
  }

  listAfter(owner: string, key = '', count = Number.POSITIVE_INFINITY): string[] {
    return this.#lists.get(owner)?.listAfter(key, count).map(getListKeyId) ?? []
  }

  #add(owner: string, key: string): void {
    const list = this.#lists.get(owner) ?? new SortedList<string, string>(each => each)
    this.#lists.set(owner, list)
    list.add(key)
  }

  #remove(owner: string, key: string): void {
    const list = this.#lists.get(owner)
    list?.remove(key)
    if (list?.first === undefined) this.#lists.delete(owner)
  }
}
