import { type Status, statusNames } from '../../../../domain/message/message.js'

const blockSize = 512
const codes = Object.keys(statusNames) as Status[]

/**
 * Index of the ids of one account's messages in order of creation. Blocks count each status, so
 * that a page of any filter is ids without reading the ids before it. Empty blocks are freed.
 */
export class MessageListIndex {
  readonly #blocks: (MessageListBlock | undefined)[] = []
  #length = 0

  /** Appends a message to the list; returns its position. */
  append(id: string, status: Status): number {
    const position = this.#length
    this.#length += 1
    this.set(position, id, status)
    return position
  }

  set(position: number, id: string, status: Status): void {
    const at = Math.floor(position / blockSize)
    let block = this.#blocks[at]
    if (block === undefined) {
      block = new MessageListBlock(codes.length)
      this.#blocks[at] = block
    }
    block.set(position % blockSize, id, codes.indexOf(status))
  }

  clear(position: number): void {
    const at = Math.floor(position / blockSize)
    const block = this.#blocks[at]
    block?.clear(position % blockSize)
    const isFull = (at + 1) * blockSize <= this.#length
    if (isFull && block?.size === 0) this.#blocks[at] = undefined
  }

  listIds(): string[] {
    return this.getPage(codes, 0, Number.POSITIVE_INFINITY, 'asc')
  }

  /** Number of blocks of the message list, including freed ones. */
  get blocks(): number {
    return this.#blocks.length
  }

  hasBlock(block: number): boolean {
    return this.#blocks[block] !== undefined
  }

  listIdsInBlock(block: number, statuses: readonly Status[]): string[] {
    const ids: string[] = []
    const isIncluded = codes.map(code => statuses.includes(code))
    this.#blocks[block]?.collect(isIncluded, 0, Number.POSITIVE_INFINITY, 'asc', ids)
    return ids
  }

  getPage(
    statuses: readonly Status[],
    start: number,
    count: number,
    order: 'asc' | 'desc',
  ): string[] {
    const isIncluded = codes.map(code => statuses.includes(code))
    const last = this.#blocks.length - 1
    const ids: string[] = []
    let skip = start
    for (let step = 0; step <= last && ids.length < count; step += 1) {
      const block = this.#blocks[order === 'asc' ? step : last - step]
      if (block !== undefined) skip = block.collect(isIncluded, skip, count, order, ids)
    }
    return ids
  }
}

/** A block of a message list: message ids with a status code, and the number of each code. */
class MessageListBlock {
  readonly #ids: (string | undefined)[] = []
  readonly #codes: number[] = []
  readonly #counts: number[]
  #size = 0

  constructor(codeCount: number) {
    this.#counts = new Array<number>(codeCount).fill(0)
  }

  get size(): number {
    return this.#size
  }

  set(position: number, id: string, code: number): void {
    if (position < this.#ids.length) this.clear(position)
    while (this.#ids.length <= position) this.#push()
    this.#ids[position] = id
    this.#codes[position] = code
    this.#count(code, 1)
  }

  clear(position: number): void {
    if (this.#ids[position] === undefined) return
    this.#ids[position] = undefined
    this.#count(this.#codes[position] ?? 0, -1)
  }

  /**
   * Skips `skip` message ids of the included status codes, then adds ids to `found` until it has
   * `count`. Returns how many ids to skip in the next block.
   */
  collect(
    isIncluded: readonly boolean[],
    skip: number,
    count: number,
    order: 'asc' | 'desc',
    found: string[],
  ): number {
    const available = this.#sum(isIncluded)
    if (skip >= available) return skip - available
    let remaining = skip
    const last = this.#ids.length - 1
    for (let step = 0; step <= last && found.length < count; step += 1) {
      const position = order === 'asc' ? step : last - step
      const id = this.#ids[position]
      if (id === undefined || isIncluded[this.#codes[position] ?? -1] !== true) continue
      if (remaining > 0) remaining -= 1
      else found.push(id)
    }
    return remaining
  }

  #push(): void {
    this.#ids.push(undefined)
    this.#codes.push(0)
  }

  #sum(isIncluded: readonly boolean[]): number {
    let sum = 0
    for (let code = 0; code < isIncluded.length; code += 1) {
      if (isIncluded[code] === true) sum += this.#counts[code] ?? 0
    }
    return sum
  }

  #count(code: number, change: number): void {
    this.#counts[code] = (this.#counts[code] ?? 0) + change
    this.#size += change
  }
}
