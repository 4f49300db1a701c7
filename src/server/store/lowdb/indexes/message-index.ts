import {
  getAvailableTime,
  isWaiting,
  type Message,
  type Status,
} from '../../../../domain/message/message.js'
import { isInSameGroup } from '../../../../domain/message/message-counts.js'
import type { QueueDepth } from '../../../../domain/message/queue-depth.js'
import { DueCounter } from '../../../../util/collections/due-counter.js'
import { SortedBlocks } from '../../../../util/collections/sorted-blocks.js'
import type { LaterPlace } from '../../message-store.js'
import type { IndexedFields, MessageTable } from '../message-table/message-table.js'
import { SlotMap } from '../message-table/slot-map.js'
import { LeaseIndex } from './lease-index.js'
import { MessageListIndex } from './message-list.js'

interface QueueEntry {
  readonly id: string
  readonly slot: number
  at: number
}

interface AccountIndex {
  readonly list: MessageListIndex
  readonly waiting: SortedBlocks<QueueEntry, LaterPlace>
  /** The times at which the index's waiting messages become available. */
  readonly available: DueCounter
  readonly leases: DueCounter
}

export class MessageIndex {
  readonly #accounts = new Map<string, AccountIndex>()
  readonly #table: MessageTable
  readonly #waiting = new SlotMap<QueueEntry>()
  readonly leases = new LeaseIndex()

  constructor(table: MessageTable) {
    this.#table = table
  }

  add(slot: number, message: IndexedFields): void {
    this.#getIndex(message.account).list.set(slot, message, this.#table.getNumberHash(slot))
  }

  /** Updates the index; call it after a message was set and before one is deleted. */
  update(before: Message | undefined, after: Message | undefined): void {
    this.#setLease(before, after)
    if (after === undefined) {
      if (before !== undefined) this.#remove(before)
      return
    }
    const index = this.#getIndex(after.account)
    const slot = this.#table.findSlot(after.id)
    if (before === undefined || !isInSameGroup(before, after))
      index.list.set(slot, after, this.#table.getNumberHash(slot))
    if (isWaiting(after)) this.#schedule(index, slot, after)
    else this.#unschedule(index, slot)
  }

  findFirstAvailable(
    account: string,
  ): { readonly id: string; readonly slot: number; readonly at: number } | undefined {
    return this.#accounts.get(account)?.waiting.first
  }

  getQueueDepth(account: string, now: number): QueueDepth {
    const index = this.#accounts.get(account)
    if (index === undefined) return { waiting: 0, due: 0, leased: 0 }
    const { waiting, available, leases } = index
    const leased = leases.size - leases.countDue(now)
    return { waiting: waiting.size, due: available.countDue(now), leased }
  }

  /**
   * Lists the identifiers of the waiting messages of an account that become available after a
   * place, in order, at most `count`.
   */
  listLater(account: string, after: LaterPlace, count: number): string[] {
    const found = this.#accounts.get(account)?.waiting.listAfter(after, count) ?? []
    return found.map(({ id }) => id)
  }

  countStatuses(account: string): Record<Status, number> {
    return (this.#accounts.get(account)?.list ?? new MessageListIndex()).countStatuses()
  }

  getList(account: string): MessageListIndex {
    return this.#getIndex(account).list
  }

  *lists(): Iterable<readonly [account: string, list: MessageListIndex]> {
    for (const [account, { list }] of this.#accounts) yield [account, list]
  }

  #getIndex(account: string): AccountIndex {
    const existing = this.#accounts.get(account)
    if (existing !== undefined) return existing
    const index = {
      list: new MessageListIndex(),
      waiting: new SortedBlocks<QueueEntry, LaterPlace>(comparePlaces),
      available: new DueCounter(),
      leases: new DueCounter(),
    }
    this.#accounts.set(account, index)
    return index
  }

  #remove({ id, account }: Message): void {
    const slot = this.#table.findSlot(id)
    const index = this.#getIndex(account)
    this.#unschedule(index, slot)
    index.list.remove(slot)
  }

  /** Only waiting messages have a lease in the index. */
  #setLease(before: Message | undefined, after: Message | undefined): void {
    const message = after ?? before
    if (message === undefined) return
    const lease = after !== undefined && isWaiting(after) ? after.lease : undefined
    if (lease === undefined && before?.lease === undefined) return
    const { id, account } = message
    const end = lease === undefined ? this.leases.remove(id) : this.leases.set(id, lease)
    const { leases } = this.#getIndex(account)
    if (end !== undefined) leases.remove(end)
    if (lease !== undefined) leases.add(lease.until)
  }

  #schedule({ waiting, available }: AccountIndex, slot: number, message: Message): void {
    const at = getAvailableTime(message)
    let entry = this.#waiting.get(slot)
    if (entry?.at === at) return
    if (entry !== undefined) {
      available.remove(entry.at)
      waiting.remove(entry)
    }
    available.add(at)
    entry ??= { id: message.id, slot, at }
    entry.at = at
    this.#waiting.set(slot, entry)
    waiting.add(entry)
  }

  #unschedule({ waiting, available }: AccountIndex, slot: number): void {
    const entry = this.#waiting.get(slot)
    if (entry === undefined) return
    available.remove(entry.at)
    waiting.remove(entry)
    this.#waiting.delete(slot)
  }
}

function comparePlaces(a: LaterPlace, b: LaterPlace): number {
  return a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id))
}
