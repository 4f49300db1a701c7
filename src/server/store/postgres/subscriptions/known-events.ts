import type { RelayEvent } from '../../../../domain/webhook/event.js'
import type { SubscriptionEvents } from '../../subscription-store.js'

export interface EventFact {
  readonly side: 'after' | 'before'
  readonly seq: number
}

export class MissingEvent extends Error {
  override readonly name = 'MissingEvent'
  readonly fact: EventFact

  constructor(fact: EventFact) {
    super(`The event ${fact.side} ${fact.seq} is not loaded.`)
    this.fact = fact
  }
}

export class KnownEvents implements SubscriptionEvents {
  readonly #cursor: number
  readonly #afterCursor: readonly RelayEvent[]
  readonly #facts = new Map<string, RelayEvent | undefined>()

  constructor(cursor: number, afterCursor: readonly RelayEvent[]) {
    this.#cursor = cursor
    this.#afterCursor = afterCursor
  }

  // Decisions take these functions out of the object.
  readonly next = (seq: number): RelayEvent | undefined => {
    const near = seq < this.#cursor ? undefined : this.#afterCursor.find(each => each.seq > seq)
    return near ?? this.#get({ side: 'after', seq })
  }

  readonly previous = (seq: number): RelayEvent | undefined => this.#get({ side: 'before', seq })

  /** Adds an event that a decision asked for; undefined if the database has none. */
  add({ side, seq }: EventFact, event: RelayEvent | undefined): void {
    this.#facts.set(`${side} ${seq}`, event)
  }

  #get(fact: EventFact): RelayEvent | undefined {
    const key = `${fact.side} ${fact.seq}`
    if (!this.#facts.has(key)) throw new MissingEvent(fact)
    return this.#facts.get(key)
  }
}
