// Data structures that Node does not have.
// - heap: the first of many items whose order changes
// - due-counter: how many of many times have passed
// - lru-map: a map of limited size
// - sorted-blocks: items in order, of which any may be added, removed and listed
// - memoize: the last results of a function

/** An item that knows its position in a {@link Heap}; `place` is -1 outside of one. */
export interface HeapItem {
  place: number
}

/** A binary heap whose items can be moved and removed in O(log n). */
export class Heap<T extends HeapItem> {
  readonly #items: T[] = []
  readonly #before: (a: T, b: T) => boolean

  /** @param before whether item `a` of the heap comes before `b` */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before
  }

  get size(): number {
    return this.#items.length
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  values(): Iterable<T> {
    return this.#items.values()
  }

  put(item: T): void {
    if (item.place === -1) {
      item.place = this.#items.length
      this.#items.push(item)
    }
    this.#up(item)
    this.#down(item)
  }

  remove(item: T): void {
    if (item.place === -1) return
    const place = item.place
    const last = this.#items.pop() as T
    item.place = -1
    if (last === item) return
    this.#set(last, place)
    this.#up(last)
    this.#down(last)
  }

  #up(item: T): void {
    while (item.place > 0) {
      const parent = this.#items[(item.place - 1) >> 1] as T
      if (!this.#before(item, parent)) return
      this.#swap(item, parent)
    }
  }

  #down(item: T): void {
    for (;;) {
      const left = this.#items[item.place * 2 + 1]
      const right = this.#items[item.place * 2 + 2]
      const first =
        right !== undefined && left !== undefined && this.#before(right, left) ? right : left
      if (first === undefined || !this.#before(first, item)) return
      this.#swap(first, item)
    }
  }

  #swap(a: T, b: T): void {
    const place = a.place
    this.#set(a, b.place)
    this.#set(b, place)
  }

  #set(item: T, place: number): void {
    item.place = place
    this.#items[place] = item
  }
}
