import { getAvailableTime, isWaiting, type Message } from '../../../../domain/message/message.js'
import type { QueueDepth } from '../../../../domain/message/queue-depth.js'
import { DueCounter } from '../../../../util/collections/due-counter.js'
import { Heap, type HeapItem } from '../../../../util/collections/heap.js'
import { LeaseIndex } from './lease-index.js'
import { MessageListIndex } from './message-list.js'

interface QueueEntry extends HeapItem {
  readonly id: string
  /** Position of the message in the list of its account. */
  readonly position: number
  /** When the waiting message becomes available, in milliseconds since the epoch. */
  at: number
}

interface AccountIndex {
  readonly list: MessageListIndex
  readonly waiting: Heap<QueueEntry>
  /** When waiting messages become available. */
  readonly available: DueCounter
  readonly leases: DueCounter
}

/** Index of messages: finds the next available one, leases, and pages of an account's messages. */
export class MessageIndex {
  readonly #accounts = new Map<string, AccountIndex>()
  readonly #entries = new Map<string, QueueEntry>()
  readonly leases = new LeaseIndex()
  /** Lets an undo put a message back at its position in the index. */
  readonly #removedEntries = new WeakMap<Message, QueueEntry>()

  update(before: Message | undefined, after: Message | undefined): void {
    if (before !== undefined) this.#removeLease(before)
    if (after === undefined) {
      if (before !== undefined) this.#remove(before)
      return
    }
    const index = this.#getIndex(after.account)
    const entry = this.#entries.get(after.id) ?? this.#add(index, after)
    if (before !== undefined && before.status !== after.status) {
      index.list.set(entry.position, after.id, after.status)
    }
    schedule(index, entry, after)
    if (after.lease === undefined || !isWaiting(after)) return
    this.leases.add(after, after.lease)
    index.leases.add(after.lease.until)
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
    for (const index of chosen) for (const entry of index?.waiting.values() ?? []) yield entry.id
  }

  getList(account: string): MessageListIndex {
    return this.#getIndex(account).list
  }

  /** The accounts that have or had messages, with their message lists. */
  *lists(): Iterable<readonly [account: string, list: MessageListIndex]> {
    for (const [account, { list }] of this.#accounts) yield [account, list]
  }

  #getIndex(account: string): AccountIndex {
    const existing = this.#accounts.get(account)
    if (existing !== undefined) return existing
    const index = {
      list: new MessageListIndex(),
      waiting: new Heap<QueueEntry>(isDueBefore),
      available: new DueCounter(),
      leases: new DueCounter(),
    }
    this.#accounts.set(account, index)
    return index
  }

  #add(index: AccountIndex, message: Message): QueueEntry {
    const earlier = this.#removedEntries.get(message)
    if (earlier !== undefined) index.list.set(earlier.position, message.id, message.status)
    const position = earlier?.position ?? index.list.append(message.id, message.status)
    const entry = { id: message.id, position, at: 0, place: -1 }
    this.#entries.set(message.id, entry)
    return entry
  }

  #remove(message: Message): void {
    const entry = this.#entries.get(message.id)
    if (entry === undefined) return
    const index = this.#getIndex(message.account)
    unschedule(index, entry)
    index.list.clear(entry.position)
    this.#entries.delete(message.id)
    this.#removedEntries.set(message, entry)
  }

  #removeLease(message: Message): void {
    const { lease } = message
    if (lease === undefined || !this.leases.remove(message, lease)) return
    this.#getIndex(message.account).leases.remove(lease.until)
  }
}

function schedule(index: AccountIndex, entry: QueueEntry, message: Message): void {
  if (!isWaiting(message)) {
    unschedule(index, entry)
    return
  }
  const at = getAvailableTime(message)
  if (entry.place !== -1 && entry.at === at) return
  if (entry.place !== -1) index.available.remove(entry.at)
  index.available.add(at)
  entry.at = at
  index.waiting.put(entry)
}

function unschedule({ waiting, available }: AccountIndex, entry: QueueEntry): void {
  if (entry.place !== -1) available.remove(entry.at)
  waiting.remove(entry)
}

function isDueBefore(a: QueueEntry, b: QueueEntry): boolean {
  return a.at < b.at || (a.at === b.at && a.position < b.position)
}
