const maxBlock = 512

/**
 * Items in an order, in blocks, so that adding, removing and finding one of a million takes some
 * comparisons and moves the items of one block. The order of two items must never be equal, and
 * must not change while they are inside. It also has places, which need not be items.
 */
export class SortedBlocks<T extends Place, Place> {
  readonly #compare: (a: Place, b: Place) => number
  /** None of them is empty. */
  readonly #blocks: T[][] = []
  #size = 0

  constructor(compare: (a: Place, b: Place) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#size
  }

  get first(): T | undefined {
    return this.#blocks[0]?.[0]
  }

  *values(): Iterable<T> {
    for (const block of this.#blocks) yield* block
  }

  listAfter(place: Place, count: number): T[] {
    let at = this.#findBlock(place)
    const first = this.#blocks[at] ?? []
    const from = findIndex(first, item => this.#compare(item, place) <= 0)
    const found = first.slice(from, from + count)
    for (at += 1; found.length < count && at < this.#blocks.length; at += 1)
      found.push(...(this.#blocks[at] ?? []).slice(0, count - found.length))
    return found
  }

  add(item: T): void {
    this.#size += 1
    const at = this.#findBlock(item)
    const block = this.#blocks[at]
    if (block === undefined) {
      this.#blocks.push([item])
      return
    }
    const place = this.#findPlace(block, item)
    block.splice(place, 0, item)
    if (block.length <= maxBlock) return
    // Items that come in order fill their blocks.
    const half = place === maxBlock ? maxBlock : maxBlock / 2
    this.#blocks.splice(at + 1, 0, block.splice(half))
  }

  remove(item: T): void {
    const at = this.#findBlock(item)
    const block = this.#blocks[at] ?? []
    const place = this.#findPlace(block, item)
    if (block[place] !== item) return
    this.#size -= 1
    if (block.length === 1) this.#blocks.splice(at, 1)
    else block.splice(place, 1)
  }

  #findPlace(block: readonly T[], item: T): number {
    return findIndex(block, each => this.#compare(each, item) < 0)
  }

  /** The last block whose first item is not behind a place, or else the first block. */
  #findBlock(place: Place): number {
    const behind = findIndex(
      this.#blocks,
      ([first]) => first !== undefined && this.#compare(first, place) <= 0,
    )
    return Math.max(0, behind - 1)
  }
}

/** The number of items at the begin of a list for which `isBefore` is true. */
function findIndex<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(items[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}
