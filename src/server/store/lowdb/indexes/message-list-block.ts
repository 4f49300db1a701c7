import { type Status, statusNames } from '../../../../domain/message/message.js'

const blockSize = 512
export const codes = Object.keys(statusNames) as Status[]
const removed = 0xff

export interface PageLimits {
  readonly isBefore?: ((slot: number) => boolean) | undefined
  readonly number?: { readonly hash: number; has(slot: number): boolean } | undefined
}

interface Collection extends Pick<PageLimits, 'number'> {
  readonly isIncluded: readonly boolean[]
  readonly count: number
  readonly order: 'asc' | 'desc'
}

interface ListEntry {
  readonly code: number
  readonly numberHash: number
  readonly quarter: number
  readonly group: number
}

export class MessageListBlock {
  #slots = new Float64Array(8)
  #codes = new Uint8Array(8)
  #hashes = new Uint16Array(8)
  #quarters = new Uint32Array(8)
  #groups = new Uint32Array(8)
  /** Bounds of the quarters, so that most blocks outside of a period are skipped. */
  #firstQuarter = Number.POSITIVE_INFINITY
  #lastQuarter = Number.NEGATIVE_INFINITY
  readonly #counts = new Array<number>(codes.length).fill(0)
  #length = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  get isFull(): boolean {
    return this.#length >= blockSize
  }

  get first(): number {
    return this.#slots[0] as number
  }

  get last(): number {
    return this.#slots[this.#length - 1] as number
  }

  count(code: number): number {
    return this.#counts[code] ?? 0
  }

  findPresent(order: 'asc' | 'desc'): number | undefined {
    for (let step = 0; step < this.#length; step += 1) {
      const at = order === 'asc' ? step : this.#length - 1 - step
      if (this.#codes[at] !== removed) return this.#slots[at]
    }
    return undefined
  }

  list(statuses: readonly Status[]): number[] {
    const slots: number[] = []
    const isIncluded = codes.map(code => statuses.includes(code))
    this.collect({ isIncluded, count: Number.POSITIVE_INFINITY, order: 'asc' }, 0, slots)
    return slots
  }

  set(slot: number, { code, numberHash, quarter, group }: ListEntry): void {
    const at = this.#findIndex(slot)
    if (at === this.#length || this.#slots[at] !== slot) this.#insert(at, slot)
    this.#count(this.#codes[at] as number, -1)
    this.#codes[at] = code
    this.#count(code, 1)
    this.#hashes[at] = numberHash
    this.#quarters[at] = quarter
    this.#groups[at] = group
    this.#firstQuarter = Math.min(this.#firstQuarter, quarter)
    this.#lastQuarter = Math.max(this.#lastQuarter, quarter)
  }

  /** The slot keeps its place, because an undo may set it again. */
  remove(slot: number): void {
    const at = this.#findIndex(slot)
    if (at === this.#length || this.#slots[at] !== slot) return
    this.#count(this.#codes[at] as number, -1)
    this.#codes[at] = removed
  }

  /**
   * Adds the block's messages that were created in a period, from the quarter of an hour `since` to
   * `until` (exclusive), to the counts, which are in the order of the numbers of groups.
   */
  countGroups(counts: Uint32Array, since: number, until: number): void {
    if (this.#lastQuarter < since || this.#firstQuarter >= until) return
    const [entryCodes, quarters, groups] = [this.#codes, this.#quarters, this.#groups]
    for (let at = 0; at < this.#length; at += 1) {
      const quarter = quarters[at] as number
      if (quarter < since || quarter >= until || entryCodes[at] === removed) continue
      const group = groups[at] as number
      counts[group] = (counts[group] as number) + 1
    }
  }

  /**
   * Skips `skip` slots of the included codes, then adds slots to `found` until it has `count`.
   * Returns how many to skip in the next block.
   */
  collect({ isIncluded, count, order, number }: Collection, skip: number, found: number[]): number {
    const available = this.#sum(isIncluded)
    if (number === undefined && skip >= available) return skip - available
    // A native search: most blocks have no message to the number.
    if (number !== undefined && !this.#hashes.includes(number.hash)) return skip
    let remaining = skip
    const last = this.#length - 1
    for (let step = 0; step <= last && found.length < count; step += 1) {
      const at = order === 'asc' ? step : last - step
      if (number !== undefined && this.#hashes[at] !== number.hash) continue
      if (isIncluded[this.#codes[at] as number] !== true) continue
      const slot = this.#slots[at] as number
      if (number?.has(slot) === false) continue
      if (remaining > 0) remaining -= 1
      else found.push(slot)
    }
    return remaining
  }

  /** Index in the list of the first slot that is not lower. */
  #findIndex(slot: number): number {
    if (this.#length === 0 || this.last < slot) return this.#length
    let low = 0
    let high = this.#length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#slots[middle] as number) < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  #insert(at: number, slot: number): void {
    if (this.#length === this.#slots.length) this.#grow()
    for (const each of [this.#slots, this.#codes, this.#hashes, this.#quarters, this.#groups])
      each.copyWithin(at + 1, at, this.#length)
    this.#slots[at] = slot
    this.#codes[at] = removed
    this.#length += 1
  }

  #grow(): void {
    const length = 2 * this.#slots.length
    this.#slots = copy(this.#slots, new Float64Array(length))
    this.#codes = copy(this.#codes, new Uint8Array(length))
    this.#hashes = copy(this.#hashes, new Uint16Array(length))
    this.#quarters = copy(this.#quarters, new Uint32Array(length))
    this.#groups = copy(this.#groups, new Uint32Array(length))
  }

  #sum(isIncluded: readonly boolean[]): number {
    let sum = 0
    for (let code = 0; code < isIncluded.length; code += 1) {
      if (isIncluded[code] === true) sum += this.#counts[code] ?? 0
    }
    return sum
  }

  #count(code: number, change: number): void {
    if (code === removed) return
    this.#counts[code] = (this.#counts[code] ?? 0) + change
    this.#size += change
  }
}

function copy<T extends Float64Array | Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
