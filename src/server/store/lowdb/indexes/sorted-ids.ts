/** Identifiers in their order; cheap to add to at the end, to take from at the front, and to page through. */
export class SortedIds {
  #ids: string[] = []
  /** Where the first one is; what is before it is free. */
  #head = 0

  /** The lowest identifier. */
  get first(): string | undefined {
    return this.#ids[this.#head]
  }

  /** At most `count` identifiers below `bound`, the highest first. */
  listBefore(bound: string | undefined, count: number): string[] {
    const end = bound === undefined ? this.#ids.length : this.#placeOf(bound)
    return this.#ids.slice(Math.max(end - count, this.#head), end).reverse()
  }

  /** Puts an identifier where it belongs; one that is there stays. */
  add(id: string): void {
    const at = this.#placeOf(id)
    if (this.#ids[at] === id) return
    if (at === this.#ids.length) this.#ids.push(id)
    else if (at === this.#head && at > 0) this.#ids[--this.#head] = id
    else this.#ids.splice(at, 0, id)
  }

  /** Takes an identifier out. */
  remove(id: string): void {
    const at = this.#placeOf(id)
    if (this.#ids[at] !== id) return
    if (at === this.#head) this.#removeFirst()
    else this.#ids.splice(at, 1)
  }

  #removeFirst(): void {
    this.#ids[this.#head] = ''
    this.#head += 1
    if (this.#head * 2 < this.#ids.length) return
    this.#ids = this.#ids.slice(this.#head)
    this.#head = 0
  }

  /** The place of the first identifier that is not below. */
  #placeOf(id: string): number {
    let low = this.#head
    let high = this.#ids.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ids[middle] ?? '') < id) low = middle + 1
      else high = middle
    }
    return low
  }
}
