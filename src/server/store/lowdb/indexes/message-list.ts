import { type Status, statusNames } from '../../../../domain/message/message.js'

const blockSize = 512
const codes = Object.keys(statusNames) as Status[]
/** How a page is restricted besides its statuses. */
export interface PageLimits {
  /** Whether the page, with its `start`, is behind a slot; the slots of a block are alike. */
  readonly isBefore?: ((slot: number) => boolean) | undefined
  /** Only messages to a number: its hash, and whether a slot with this hash has the number. */
  readonly number?: { readonly hash: number; has(slot: number): boolean } | undefined
}

/** Code in the index of a slot whose message was removed. */
const removed = 0xff

/**
 * The slots of one account's messages, in order of creation. Blocks count each status, so that a
 * page of any filter is found without reading the slots before it. A slot has a hash of its
 * recipient's number: the messages to one of a million are found without reading the others. Empty
 * blocks are freed.
 */
export class MessageListIndex {
  readonly #blocks: MessageListBlock[] = []

  /** Adds a slot to the list, or changes its status. */
  set(slot: number, status: Status, numberHash: number): void {
    let block = this.#blocks[this.#findBlock(slot)]
    if (
      block === undefined ||
      (block.isFull && block === this.#blocks.at(-1) && block.last < slot)
    ) {
      block = new MessageListBlock()
      this.#blocks.push(block)
    }
    block.set(slot, codes.indexOf(status), numberHash)
  }

  remove(slot: number): void {
    const at = this.#findBlock(slot)
    const block = this.#blocks[at]
    block?.remove(slot)
    if (block?.size === 0 && (block.isFull || at < this.#blocks.length - 1))
      this.#blocks.splice(at, 1)
  }

  get blocks(): readonly MessageListBlock[] {
    return this.#blocks
  }

  listSlots(): number[] {
    return this.getPage(codes, 0, Number.POSITIVE_INFINITY, 'asc')
  }

  /** The slots of a page. */
  getPage(
    statuses: readonly Status[],
    start: number,
    count: number,
    order: 'asc' | 'desc',
    { isBefore, number }: PageLimits = {},
  ): number[] {
    const isIncluded = codes.map(code => statuses.includes(code))
    const last = this.#blocks.length - 1
    const slots: number[] = []
    let skip = start
    let isSkipping = isBefore !== undefined
    for (let step = 0; step <= last && slots.length < count; step += 1) {
      const block = this.#blocks[order === 'asc' ? step : last - step]
      if (block === undefined) continue
      const end = isSkipping ? block.findPresent(order === 'asc' ? 'desc' : 'asc') : undefined
      if (end !== undefined && isBefore?.(end) === true) continue
      isSkipping &&= end === undefined
      skip = block.collect({ isIncluded, count, order, number }, skip, slots)
    }
    return slots
  }

  /** Counts the messages of the list by their status. */
  countStatuses(): Record<Status, number> {
    const counts = codes.map((_, code) =>
      this.#blocks.reduce((sum, block) => sum + block.count(code), 0),
    )
    return Object.fromEntries(codes.map((status, code) => [status, counts[code]])) as never
  }

  /** Index in the list of the last block that begins at or before a slot; 0 without one. */
  #findBlock(slot: number): number {
    let low = 0
    let high = this.#blocks.length - 1
    if ((this.#blocks[high]?.first ?? 0) <= slot) return Math.max(high, 0)
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#blocks[middle]?.first ?? 0) <= slot) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Which slots a page collects, in which order. */
interface Collection extends Pick<PageLimits, 'number'> {
  readonly isIncluded: readonly boolean[]
  readonly count: number
  readonly order: 'asc' | 'desc'
}

/** A block of a message list: slots with a status code, and the number of each code. */
export class MessageListBlock {
  #slots = new Float64Array(8)
  #codes = new Uint8Array(8)
  #hashes = new Uint16Array(8)
  readonly #counts = new Array<number>(codes.length).fill(0)
  #length = 0
  #size = 0

  /** Number of messages in the index's list. */
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

  /** The number of messages in the list's block with a status code. */
  count(code: number): number {
    return this.#counts[code] ?? 0
  }

  /** The first slot in an order of a message that the list's block has. */
  findPresent(order: 'asc' | 'desc'): number | undefined {
    for (let step = 0; step < this.#length; step += 1) {
      const at = order === 'asc' ? step : this.#length - 1 - step
      if (this.#codes[at] !== removed) return this.#slots[at]
    }
    return undefined
  }

  /** The list's slots of messages with one of the statuses. */
  list(statuses: readonly Status[]): number[] {
    const slots: number[] = []
    const isIncluded = codes.map(code => statuses.includes(code))
    this.collect({ isIncluded, count: Number.POSITIVE_INFINITY, order: 'asc' }, 0, slots)
    return slots
  }

  set(slot: number, code: number, numberHash: number): void {
    const at = this.#findIndex(slot)
    if (at === this.#length || this.#slots[at] !== slot) this.#insert(at, slot)
    this.#count(this.#codes[at] as number, -1)
    this.#codes[at] = code
    this.#hashes[at] = numberHash
    this.#count(code, 1)
  }

  /** The slot keeps its place, because an undo may set it again. */
  remove(slot: number): void {
    const at = this.#findIndex(slot)
    if (at === this.#length || this.#slots[at] !== slot) return
    this.#count(this.#codes[at] as number, -1)
    this.#codes[at] = removed
  }

  /**
   * Skips `skip` slots of the included codes, then adds slots to `found` until it has `count`.
   * Returns how many to skip in the next block.
   */
  collect({ isIncluded, count, order, number }: Collection, skip: number, found: number[]): number {
    const available = this.#sum(isIncluded)
    if (number === undefined && skip >= available) return skip - available
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
    this.#slots.copyWithin(at + 1, at, this.#length)
    this.#codes.copyWithin(at + 1, at, this.#length)
    this.#hashes.copyWithin(at + 1, at, this.#length)
    this.#slots[at] = slot
    this.#codes[at] = removed
    this.#length += 1
  }

  #grow(): void {
    const [slots, statusCodes, hashes] = [this.#slots, this.#codes, this.#hashes]
    this.#slots = new Float64Array(2 * slots.length)
    this.#slots.set(slots)
    this.#codes = new Uint8Array(2 * slots.length)
    this.#codes.set(statusCodes)
    this.#hashes = new Uint16Array(2 * slots.length)
    this.#hashes.set(hashes)
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
