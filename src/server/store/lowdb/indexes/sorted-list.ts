const minFreeSlots = 16

/**
 * A list for the store's indexes: items in order of a unique key. It is cheap to add items at the
 * end, to remove them at the front and to put them back there.
 */
export class SortedList<T, K extends number | string> {
  readonly #getKey: (item: T) => K
  #items: (T | undefined)[] = []
  /** Array index of the first item of the list; the slots before it are free. */
  #head = 0

  constructor(getKey: (item: T) => K) {
    this.#getKey = getKey
  }

  get first(): T | undefined {
    return this.#items[this.#head]
  }

  get size(): number {
    return this.#items.length - this.#head
  }

  /** The first `count` items of the list with a higher key, in order. */
  listAfter(key: K, count: number): T[] {
    const from = this.#findIndex(key, false)
    return this.#items.slice(from, from + count) as T[]
  }

  countAfter(key: K): number {
    return this.#items.length - this.#findIndex(key, false)
  }

  /** The last `count` items of the list with a lower key (@default any), in order. */
  listBefore(key: K | undefined, count: number): T[] {
    const end = key === undefined ? this.#items.length : this.#findIndex(key, true)
    return this.#items.slice(Math.max(end - count, this.#head), end) as T[]
  }

  add(item: T): void {
    const key = this.#getKey(item)
    const last = this.#items.at(-1)
    if (last === undefined || this.#getKey(last) < key) {
      this.#items.push(item)
      return
    }
    const at = this.#findIndex(key, true)
    if (this.#getKey(this.#items[at] as T) === key) return
    if (at === this.#head) this.#addFirst(item)
    else this.#items.splice(at, 0, item)
  }

  remove(key: K): void {
    const at = this.#findIndex(key, true)
    const item = this.#items[at]
    if (item === undefined || this.#getKey(item) !== key) return
    if (at === this.#head) this.#removeFirst()
    else this.#items.splice(at, 1)
  }

  #addFirst(item: T): void {
    if (this.#head === 0) {
      this.#head = this.#items.length + minFreeSlots
      this.#items = new Array<T | undefined>(this.#head).concat(this.#items)
    }
    this.#head -= 1
    this.#items[this.#head] = item
  }

  #removeFirst(): void {
    this.#items[this.#head] = undefined
    this.#head += 1
    if (this.#head * 2 < this.#items.length) return
    this.#items = this.#items.slice(this.#head)
    this.#head = 0
  }

  /**
   * Position in the store's sorted list of the first item with a higher key, or with `key` if
   * `orEqual`.
   */
  #findIndex(key: K, orEqual: boolean): number {
    let low = this.#head
    let high = this.#items.length
    while (low < high) {
      const middle = (low + high) >> 1
      const middleKey = this.#getKey(this.#items[middle] as T)
      if (middleKey < key || (middleKey === key && !orEqual)) low = middle + 1
      else high = middle
    }
    return low
  }
}
