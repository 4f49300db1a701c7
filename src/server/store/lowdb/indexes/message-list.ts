import { type Status, statusNames } from '../../../../domain/message/message.js'

const blockSize = 512
const codes = Object.keys(statusNames) as Status[]

/**
 * The ids of one account's messages in order of creation. Blocks count each status, so that a page
 * of any filter is found without reading the ids before it. Empty blocks are freed.
 */
export class MessageListIndex {
  readonly #blocks: (MessageListBlock | undefined)[] = []
  #length = 0

  /** Adds an id at the end; returns its position. */
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

  /** Number of blocks, including freed ones. */
  get blocks(): number {
    return this.#blocks.length
  }

  hasBlock(block: number): boolean {
    return this.#blocks[block] !== undefined
  }

  /** The ids with these statuses in one block, in order. */
  listIdsInBlock(block: number, statuses: readonly Status[]): string[] {
    const found: string[] = []
    const wanted = codes.map(code => statuses.includes(code))
    this.#blocks[block]?.collect(wanted, 0, Number.POSITIVE_INFINITY, 'asc', found)
    return found
  }

  /** At most `count` ids with these statuses, after the first `start`. */
  getPage(
    statuses: readonly Status[],
    start: number,
    count: number,
    order: 'asc' | 'desc',
  ): string[] {
    const wanted = codes.map(code => statuses.includes(code))
    const last = this.#blocks.length - 1
    const found: string[] = []
    let skip = start
    for (let step = 0; step <= last && found.length < count; step += 1) {
      const block = this.#blocks[order === 'asc' ? step : last - step]
      if (block !== undefined) skip = block.collect(wanted, skip, count, order, found)
    }
    return found
  }
}

/** A block of a message list: identifiers with a status code, and the number of each code. */
class MessageListBlock {
  readonly #ids: (string | undefined)[] = []
  readonly #codes: number[] = []
  readonly #counts: number[]
  #size = 0

  /** @param codes number of status codes */
  constructor(codes: number) {
    this.#counts = new Array<number>(codes).fill(0)
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
   * Skips `skip` ids of the wanted codes, then adds ids to `found` until it has `count`. Returns
   * how many ids to skip in the next block.
   */
  collect(
    wanted: readonly boolean[],
    skip: number,
    count: number,
    order: 'asc' | 'desc',
    found: string[],
  ): number {
    const available = this.#sum(wanted)
    if (skip >= available) return skip - available
    let left = skip
    const last = this.#ids.length - 1
    for (let step = 0; step <= last && found.length < count; step += 1) {
      const position = order === 'asc' ? step : last - step
      const id = this.#ids[position]
      if (id === undefined || wanted[this.#codes[position] ?? -1] !== true) continue
      if (left > 0) left -= 1
      else found.push(id)
    }
    return left
  }

  #push(): void {
    this.#ids.push(undefined)
    this.#codes.push(0)
  }

  #sum(wanted: readonly boolean[]): number {
    let sum = 0
    for (let code = 0; code < wanted.length; code += 1) {
      if (wanted[code] === true) sum += this.#counts[code] ?? 0
    }
    return sum
  }

  #count(code: number, change: number): void {
    this.#counts[code] = (this.#counts[code] ?? 0) + change
    this.#size += change
  }
}
