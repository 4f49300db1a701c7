import type { RelayEvent } from '../../../../domain/webhook/event.js'

const minFreeSlots = 16

/** Events in order of their numbers; cheap to add to at the end, and to take from at the front. */
export class EventList {
  #events: (RelayEvent | undefined)[] = []
  /** Where the first event is; what is before it is free. */
  #head = 0

  /** The oldest event. */
  get first(): RelayEvent | undefined {
    return this.#events[this.#head]
  }

  /** Number of events. */
  get size(): number {
    return this.#events.length - this.#head
  }

  /** At most `count` events after `seq`. */
  listAfter(seq: number, count: number): RelayEvent[] {
    const from = this.#firstAfter(seq)
    return this.#events.slice(from, from + count) as RelayEvent[]
  }

  /** The last event before `seq`. */
  findBefore(seq: number): RelayEvent | undefined {
    const at = this.#firstAfter(seq - 1) - 1
    return at < this.#head ? undefined : this.#events[at]
  }

  /** At most the last `count` events. */
  listLatest(count: number): RelayEvent[] {
    const from = Math.max(this.#events.length - count, this.#head)
    return this.#events.slice(from) as RelayEvent[]
  }

  /** Puts an event where it belongs. */
  add(event: RelayEvent): void {
    if ((this.#events.at(-1)?.seq ?? 0) < event.seq) this.#events.push(event)
    else if (event.seq < (this.first?.seq ?? 0)) this.#addFirst(event)
    else this.#events.splice(this.#firstAfter(event.seq), 0, event)
  }

  /** Takes an event out. */
  remove({ seq }: RelayEvent): void {
    const at = this.#firstAfter(seq - 1)
    if (this.#events[at]?.seq !== seq) return
    if (at === this.#head) this.#removeFirst()
    else this.#events.splice(at, 1)
  }

  #addFirst(event: RelayEvent): void {
    if (this.#head === 0) {
      this.#head = this.#events.length + minFreeSlots
      this.#events = new Array<RelayEvent | undefined>(this.#head).concat(this.#events)
    }
    this.#head -= 1
    this.#events[this.#head] = event
  }

  #removeFirst(): void {
    this.#events[this.#head] = undefined
    this.#head += 1
    if (this.#head * 2 < this.#events.length) return
    this.#events = this.#events.slice(this.#head)
    this.#head = 0
  }

  #firstAfter(seq: number): number {
    let low = this.#head
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle]?.seq ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
