import type { Status } from '../../../../domain/message/message.js'
import { type GroupedFields, getQuarterHour } from '../../../../domain/message/message-counts.js'
import { GroupNumbers } from '../message-table/group-numbers.js'
import { codes, MessageListBlock, type PageLimits } from './message-list-block.js'

/**
 * The slots of one account's messages, in order of creation. Blocks count each status, so that a
 * page of any filter is found without reading the slots before it. A slot has a hash of its
 * recipient's number: the messages to one of a million are found without reading the others. Empty
 * blocks are freed.
 */
export class MessageListIndex {
  readonly #blocks: MessageListBlock[] = []
  readonly groups = new GroupNumbers()

  set(slot: number, message: GroupedFields, numberHash: number): void {
    let block = this.#blocks[this.#findBlock(slot)]
    if (
      block === undefined ||
      (block.isFull && block === this.#blocks.at(-1) && block.last < slot)
    ) {
      block = new MessageListBlock()
      this.#blocks.push(block)
    }
    block.set(slot, {
      code: codes.indexOf(message.status),
      numberHash,
      quarter: getQuarterHour(message.createdAt),
      group: this.groups.getNumber(message),
    })
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
