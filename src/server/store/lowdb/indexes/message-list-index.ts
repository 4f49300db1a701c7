import { type Status, statusNames } from '../../../../domain/message/message.js'
import { MessageListBlock } from './message-list-block.js'

const blockSize = 512
const codes = Object.keys(statusNames) as Status[]

/**
 * The ids of one account's messages in order of creation, in blocks that count each status, so that a page
 * of any filter is found without reading what lies before it. A block in which nothing is left is let go.
 */
export class MessageListIndex {
  readonly #blocks: (MessageListBlock | undefined)[] = []
  #length = 0

  /** Adds an id at the end and returns its place. */
  append(id: string, status: Status): number {
    const place = this.#length
    this.#length += 1
    this.set(place, id, status)
    return place
  }

  /** Puts an id with its status at a place. */
  set(place: number, id: string, status: Status): void {
    const at = Math.floor(place / blockSize)
    let block = this.#blocks[at]
    if (block === undefined) {
      block = new MessageListBlock(codes.length)
      this.#blocks[at] = block
    }
    block.set(place % blockSize, id, codes.indexOf(status))
  }

  /** Empties a place. */
  clear(place: number): void {
    const at = Math.floor(place / blockSize)
    const block = this.#blocks[at]
    block?.clear(place % blockSize)
    const isFull = (at + 1) * blockSize <= this.#length
    if (isFull && block?.size === 0) this.#blocks[at] = undefined
  }

  /** Every id, in order. */
  listIds(): string[] {
    return this.getPage(codes, 0, Number.POSITIVE_INFINITY, 'asc')
  }

  /** Number of blocks, those that were let go among them. */
  get blocks(): number {
    return this.#blocks.length
  }

  /** Whether a block was not let go. */
  hasBlock(block: number): boolean {
    return this.#blocks[block] !== undefined
  }

  /** The ids of those statuses in one block, in order. */
  listIdsInBlock(block: number, statuses: readonly Status[]): string[] {
    const found: string[] = []
    const wanted = codes.map(code => statuses.includes(code))
    this.#blocks[block]?.collect(wanted, 0, Number.POSITIVE_INFINITY, 'asc', found)
    return found
  }

  /** At most `count` ids of those statuses, from the `start`-th on. */
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
