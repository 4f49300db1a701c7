import { type EventName, eventNames, type RelayEvent } from '../../../../domain/webhook/event.js'
import type { EventQuery } from '../../event-store.js'
import { EventList } from './event-list.js'

/** The recorded events of each account and name, in order. */
export class EventIndex {
  readonly #logs = new Map<string, EventList>()
  #last = 0

  /** The highest sequence number given so far. */
  get lastSeq(): number {
    return this.#last
  }

  /** Makes later sequence numbers higher than `seq`. */
  startAfter(seq: number): void {
    this.#last = Math.max(this.#last, seq)
  }

  /** Follows an event that was recorded or removed. */
  update(before: RelayEvent | undefined, after: RelayEvent | undefined): void {
    if (after !== undefined) this.#add(after)
    else if (before !== undefined) this.#remove(before)
  }

  /** At most `count` events after `seq`. */
  listAfter(account: string, event: EventName, seq: number, count: number): RelayEvent[] {
    return this.#logs.get(buildEventListKey(account, event))?.listAfter(seq, count) ?? []
  }

  /** The last event before `seq`. */
  findBefore(account: string, event: EventName, seq: number): RelayEvent | undefined {
    return this.#logs.get(buildEventListKey(account, event))?.findBefore(seq)
  }

  /** At most `count` events of an account, those of all names in one order; it reads no more than a page of each. */
  getPage({ account, after, count, names = eventNames }: EventQuery): RelayEvent[] {
    const logs = names
      .map(name => this.#logs.get(buildEventListKey(account, name)))
      .filter(log => log !== undefined)
    if (after >= 0)
      return sortBySeq(logs.flatMap(log => log.listAfter(after, count))).slice(0, count)
    const latest = sortBySeq(logs.flatMap(log => log.listLatest(-after)))
    return latest.slice(after).slice(0, count)
  }

  /** The highest number of an account's events that are kept; 0 when there is none. */
  getLastSeq(account: string): number {
    const last = (name: EventName): number =>
      this.#logs.get(buildEventListKey(account, name))?.listLatest(1)[0]?.seq ?? 0
    return Math.max(...eventNames.map(last))
  }

  /** The events of each account and name; none is empty. */
  lists(): IterableIterator<EventList, undefined> {
    return this.#logs.values()
  }

  #add(event: RelayEvent): void {
    const key = buildEventListKey(event.account, event.event)
    let log = this.#logs.get(key)
    if (log === undefined) {
      log = new EventList()
      this.#logs.set(key, log)
    }
    log.add(event)
    this.#last = Math.max(this.#last, event.seq)
  }

  #remove(event: RelayEvent): void {
    const key = buildEventListKey(event.account, event.event)
    const log = this.#logs.get(key)
    log?.remove(event)
    if (log?.first === undefined) this.#logs.delete(key)
  }
}

/** Names the events of an account and name. */
export function buildEventListKey(account: string, event: EventName): string {
  return `${account} ${event}`
}

function sortBySeq(events: RelayEvent[]): RelayEvent[] {
  return events.sort((a, b) => a.seq - b.seq)
}
