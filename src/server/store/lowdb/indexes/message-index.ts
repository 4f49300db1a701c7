import {
  getAvailableTime,
  isWaiting,
  type Lease,
  type Message,
} from '../../../../domain/message/message.js'
import type { QueueDepth } from '../../../../domain/message/queue-depth.js'
import { DueCounter } from '../../../../util/collections/due-counter.js'
import { Heap, type HeapItem } from '../../../../util/collections/heap.js'
import { MessageListIndex } from './message-list.js'

interface Slot extends HeapItem {
  readonly id: string
  readonly rank: number
  at: number
}

interface AccountIndex {
  readonly ranked: MessageListIndex
  readonly waiting: Heap<Slot>
  /** When waiting messages become available. */
  readonly available: DueCounter
  /** When leases end. */
  readonly leases: DueCounter
}

/** Finds the next available message, leases, and pages of an account's messages. */
export class MessageIndex {
  readonly #accounts = new Map<string, AccountIndex>()
  readonly #slots = new Map<string, Slot>()
  readonly #held = new Map<string, { readonly id: string; readonly until: number }>()
  readonly #leased = new Set<string>()
  readonly #removed = new WeakMap<Message, Slot>()

  update(before: Message | undefined, after: Message | undefined): void {
    if (before?.lease !== undefined) this.#unlease(before, before.lease)
    if (after === undefined) {
      if (before !== undefined) this.#remove(before)
      return
    }
    const index = this.#account(after.account)
    const slot = this.#slots.get(after.id) ?? this.#add(index, after)
    if (before !== undefined && before.status !== after.status) {
      index.ranked.set(slot.rank, after.id, after.status)
    }
    schedule(index, slot, after)
    if (after.lease !== undefined && isWaiting(after)) this.#lease(after, after.lease)
  }

  /** The message that a holder has a lease on; of several, the one with the last end. */
  findLeasedBy(holder: string): string | undefined {
    return this.#held.get(holder)?.id
  }

  leasedIds(): Iterable<string> {
    return this.#leased
  }

  /** The message that becomes available first, and when, in milliseconds since the epoch. */
  findFirstAvailable(account: string): { readonly id: string; readonly at: number } | undefined {
    return this.#accounts.get(account)?.waiting.peek()
  }

  getQueueDepth(account: string, now: number): QueueDepth {
    const index = this.#accounts.get(account)
    if (index === undefined) return { waiting: 0, due: 0, leased: 0 }
    const { waiting, available, leases } = index
    const leased = leases.size - leases.countDue(now)
    return { waiting: waiting.size, due: available.countDue(now), leased }
  }

  /** The waiting messages of an account (@default all accounts), in any order. */
  *waitingIds(account?: string): Iterable<string> {
    const chosen = account === undefined ? this.#accounts.values() : [this.#accounts.get(account)]
    for (const index of chosen) for (const slot of index?.waiting.values() ?? []) yield slot.id
  }

  getList(account: string): MessageListIndex {
    return this.#account(account).ranked
  }

  /** The accounts that have or had messages, with their lists. */
  *lists(): Iterable<readonly [account: string, list: MessageListIndex]> {
    for (const [account, { ranked }] of this.#accounts) yield [account, ranked]
  }

  #account(account: string): AccountIndex {
    const present = this.#accounts.get(account)
    if (present !== undefined) return present
    const index = {
      ranked: new MessageListIndex(),
      waiting: new Heap<Slot>(isDueBefore),
      available: new DueCounter(),
      leases: new DueCounter(),
    }
    this.#accounts.set(account, index)
    return index
  }

  #add(index: AccountIndex, message: Message): Slot {
    const earlier = this.#removed.get(message)
    if (earlier !== undefined) index.ranked.set(earlier.rank, message.id, message.status)
    const rank = earlier?.rank ?? index.ranked.append(message.id, message.status)
    const slot = { id: message.id, rank, at: 0, place: -1 }
    this.#slots.set(message.id, slot)
    return slot
  }

  #remove(message: Message): void {
    const slot = this.#slots.get(message.id)
    if (slot === undefined) return
    const index = this.#account(message.account)
    unschedule(index, slot)
    index.ranked.clear(slot.rank)
    this.#slots.delete(message.id)
    this.#removed.set(message, slot)
  }

  #lease(message: Message, { holder, until }: Lease): void {
    this.#leased.add(message.id)
    this.#account(message.account).leases.add(until)
    const held = this.#held.get(holder)
    if (held === undefined || held.until <= until) this.#held.set(holder, { id: message.id, until })
  }

  #unlease(message: Message, { holder, until }: Lease): void {
    if (this.#held.get(holder)?.id === message.id) this.#held.delete(holder)
    if (this.#leased.delete(message.id)) this.#account(message.account).leases.remove(until)
  }
}

function schedule(index: AccountIndex, slot: Slot, message: Message): void {
  if (!isWaiting(message)) {
    unschedule(index, slot)
    return
  }
  const at = getAvailableTime(message)
  if (slot.place !== -1 && slot.at === at) return
  if (slot.place !== -1) index.available.remove(slot.at)
  index.available.add(at)
  slot.at = at
  index.waiting.put(slot)
}

function unschedule({ waiting, available }: AccountIndex, slot: Slot): void {
  if (slot.place !== -1) available.remove(slot.at)
  waiting.remove(slot)
}

function isDueBefore(a: Slot, b: Slot): boolean {
  return a.at < b.at || (a.at === b.at && a.rank < b.rank)
}
