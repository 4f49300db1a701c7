import { type EventName, eventNames, type RelayEvent } from '../../../../domain/webhook/event.js'
import type { EventQuery } from '../../event-store.js'
import { SortedList } from './sorted-list.js'

/** The stored events of one account and name, in order of their numbers. */
type EventList = SortedList<RelayEvent, number>

export class EventIndex {
  readonly #lists = new Map<string, EventList>()
  #lastSeq = 0

  get lastSeq(): number {
    return this.#lastSeq
  }

  /** Makes the store's numbers of later events higher than `seq`. */
  startAfter(seq: number): void {
    this.#lastSeq = Math.max(this.#lastSeq, seq)
  }

  update(before: RelayEvent | undefined, after: RelayEvent | undefined): void {
    if (after !== undefined) this.#add(after)
    else if (before !== undefined) this.#remove(before)
  }

  listAfter(account: string, event: EventName, seq: number, count: number): RelayEvent[] {
    return this.#lists.get(buildEventListKey(account, event))?.listAfter(seq, count) ?? []
  }

  countAfter(account: string, event: EventName, seq: number): number {
    return this.#lists.get(buildEventListKey(account, event))?.countAfter(seq) ?? 0
  }

  findBefore(account: string, event: EventName, seq: number): RelayEvent | undefined {
    return this.#lists.get(buildEventListKey(account, event))?.listBefore(seq, 1)[0]
  }

  /**
   * Reads from the index at most `count` events of all names in one order, and at most a page of
   * each name.
   */
  getPage({ account, after, count, names = eventNames }: EventQuery): RelayEvent[] {
    const lists = names
      .map(name => this.#lists.get(buildEventListKey(account, name)))
      .filter(list => list !== undefined)
    if (after >= 0) {
      return sortBySeq(lists.flatMap(list => list.listAfter(after, count))).slice(0, count)
    }
    const latest = sortBySeq(lists.flatMap(list => list.listBefore(undefined, -after)))
    return latest.slice(after).slice(0, count)
  }

  getLastSeq(account: string): number {
    const lists = eventNames.map(name => this.#lists.get(buildEventListKey(account, name)))
    return Math.max(...lists.map(list => list?.listBefore(undefined, 1)[0]?.seq ?? 0))
  }

  lists(): IterableIterator<EventList, undefined> {
    return this.#lists.values()
  }

  #add(event: RelayEvent): void {
    const key = buildEventListKey(event.account, event.event)
    let list = this.#lists.get(key)
    if (list === undefined) {
      list = new SortedList(({ seq }) => seq)
      this.#lists.set(key, list)
    }
    list.add(event)
    this.#lastSeq = Math.max(this.#lastSeq, event.seq)
  }

  #remove(event: RelayEvent): void {
    const key = buildEventListKey(event.account, event.event)
    const list = this.#lists.get(key)
    list?.remove(event.seq)
    if (list?.first === undefined) this.#lists.delete(key)
  }
}

export function buildEventListKey(account: string, event: EventName): string {
  return `${account} ${event}`
}

function sortBySeq(events: RelayEvent[]): RelayEvent[] {
  return events.sort((a, b) => a.seq - b.seq)
}
