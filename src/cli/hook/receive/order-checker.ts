/** A hit that a receiver has done its work for, whatever it answered then. */
export interface ProcessedWebhook {
  /** `webhook-id`; of hits without it the message's identifier. */
  readonly id: string
  /** `webhook-sequence`: place of the event in the order of the service. */
  readonly sequence?: number | undefined
  /** `webhook-previous`: sequence of the event before it on the same subscription. */
  readonly previous?: number | undefined
}

/** What a hit was among those before it. */
export type OrderResult = 'accepted' | 'doubled' | 'reordered'

/**
 * Judges what one subscription delivers by its hits alone, in the order in which they were worked on: an event again
 * is doubled, one that comes after a later one reordered, and one that others name as the one before them and that
 * never came is lost.
 */
export class OrderChecker {
  #doubled = 0
  #reordered = 0
  #unjudged = 0
  #shared = false
  #highest = Number.NEGATIVE_INFINITY
  #begin: number | undefined
  readonly #ids = new Set<string>()
  readonly #sequences = new Set<number>()
  readonly #missing = new Set<number>()

  /** Notes a hit. */
  add({ id, sequence, previous }: ProcessedWebhook): OrderResult {
    if (this.#ids.has(id)) {
      this.#doubled += 1
      return 'doubled'
    }
    this.#ids.add(id)
    if (sequence === undefined) {
      this.#unjudged += 1
      return 'accepted'
    }
    if (previous !== undefined) this.#follow(sequence, previous)
    this.#sequences.add(sequence)
    this.#missing.delete(sequence)
    if (sequence < this.#highest) {
      this.#reordered += 1
      return 'reordered'
    }
    this.#highest = sequence
    return 'accepted'
  }

  /** Different events that were worked on. */
  get accepted(): number {
    return this.#ids.size
  }

  /** Hits beyond the first of an event. */
  get doubled(): number {
    return this.#doubled
  }

  /** Events that came after a later one. */
  get reordered(): number {
    return this.#reordered
  }

  /** Events that never came, at least: a gap counts once however many are in it. */
  get lost(): number {
    return this.#missing.size
  }

  /** Events without a sequence, so that nobody can know whether others were lost or overtaken. */
  get unjudged(): number {
    return this.#unjudged
  }

  /** Whether an event came out of what another said had nothing in it: the hits are of several subscriptions. */
  get shared(): boolean {
    return this.#shared
  }

  #follow(sequence: number, previous: number): void {
    this.#begin ??= previous
    if (previous > this.#begin && !this.#sequences.has(previous)) this.#missing.add(previous)
    if (previous < this.#highest && this.#highest < sequence) this.#shared = true
  }
}
