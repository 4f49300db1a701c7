import type { EventName, RelayEvent } from '../../domain/events.js'

/** The recorded events of each account and name, in order. */
export class EventIndex {
  readonly #logs = new Map<string, RelayEvent[]>()
  #last = 0

  /** The highest sequence number given so far. */
  get last(): number {
    return this.#last
  }

  /** Makes later sequence numbers higher than `seq`. */
  startAfter(seq: number): void {
    this.#last = Math.max(this.#last, seq)
  }

  /** Follows an event that was recorded or removed. */
  changed(before: RelayEvent | undefined, after: RelayEvent | undefined): void {
    if (after !== undefined) this.#add(after)
    else if (before !== undefined) this.#remove(before)
  }

  /** At most `count` events after `seq`. */
  after(account: string, event: EventName, seq: number, count: number): RelayEvent[] {
    const log = this.#logs.get(logKey(account, event)) ?? []
    const from = firstAfter(log, seq)
    return log.slice(from, from + count)
  }

  #add(event: RelayEvent): void {
    const key = logKey(event.account, event.event)
    const log = this.#logs.get(key) ?? []
    this.#logs.set(key, log)
    if ((log.at(-1)?.seq ?? 0) < event.seq) log.push(event)
    else log.splice(firstAfter(log, event.seq), 0, event)
    this.#last = Math.max(this.#last, event.seq)
  }

  #remove(event: RelayEvent): void {
    const log = this.#logs.get(logKey(event.account, event.event)) ?? []
    const at = firstAfter(log, event.seq - 1)
    if (log[at]?.seq === event.seq) log.splice(at, 1)
  }
}

function logKey(account: string, event: EventName): string {
  return `${account} ${event}`
}

function firstAfter(log: readonly RelayEvent[], seq: number): number {
  let low = 0
  let high = log.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((log[middle]?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}
