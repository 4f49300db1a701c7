import {
  getAvailableTime,
  isWaiting,
  type Lease,
  type Message,
} from '../../../../domain/message/message.js'
import type { QueueDepth } from '../../../../domain/message/queue-depth.js'
import { DueCounter } from '../../../../util/collections/due-counter.js'
import { Heap, type HeapItem } from '../../../../util/collections/heap.js'
import { MessageListIndex } from './message-list-index.js'

interface Slot extends HeapItem {
  readonly id: string
  readonly rank: number
  at: number
}

interface AccountIndex {
  readonly ranked: MessageListIndex
  readonly waiting: Heap<Slot>
  /** When those that wait become available. */
  readonly available: DueCounter
  /** When leases end. */
  readonly leases: DueCounter
}

/** What is found fast about messages: pages of an account's list, what is available next, and who holds what. */
export class MessageIndex {
  readonly #accounts = new Map<string, AccountIndex>()
  readonly #slots = new Map<string, Slot>()
  readonly #held = new Map<string, { readonly id: string; readonly until: number }>()
  readonly #leased = new Set<string>()
  readonly #removed = new WeakMap<Message, Slot>()

  /** Follows a message from one form to the next. */
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

  /** The id a holder has a lease on, the one that ends last. */
  findLeasedBy(holder: string): string | undefined {
    return this.#held.get(holder)?.id
  }

  /** The ids under a lease. */
  leasedIds(): Iterable<string> {
    return this.#leased
  }

  /** What becomes available first: its id and when, in milliseconds since the epoch. */
  findFirstAvailable(account: string): { readonly id: string; readonly at: number } | undefined {
    return this.#accounts.get(account)?.waiting.peek()
  }

  /** How much of an account waits at `now`. */
  getQueueDepth(account: string, now: number): QueueDepth {
    const index = this.#accounts.get(account)
    if (index === undefined) return { waiting: 0, due: 0, leased: 0 }
    const { waiting, available, leases } = index
    const leased = leases.size - leases.countDue(now)
    return { waiting: waiting.size, due: available.countDue(now), leased }
  }

  /** The waiting messages of an account, in no order; of all accounts when none is given. */
  *waitingIds(account?: string): Iterable<string> {
    const chosen = account === undefined ? this.#accounts.values() : [this.#accounts.get(account)]
    for (const index of chosen) for (const slot of index?.waiting.values() ?? []) yield slot.id
  }

  /** An account's list. */
  getList(account: string): MessageListIndex {
    return this.#account(account).ranked
  }

  /** Every account that has or had messages, with its list. */
  *lists(): Iterable<readonly [account: string, list: MessageListIndex]> {
    for (const [account, { ranked }] of this.#accounts) yield [account, ranked]
  }

  #account(account: string): AccountIndex {
    const known = this.#accounts.get(account)
    if (known !== undefined) return known
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
