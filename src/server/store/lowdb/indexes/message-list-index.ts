import { type Status, statusNames } from '../../../../domain/message/message.js'
import { MessageListBlock } from './message-list-block.js'

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
