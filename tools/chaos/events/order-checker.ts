/** A webhook that a receiver has processed, whatever its response was. */
export interface ProcessedWebhook {
  /**
   * Header `webhook-id` of the received webhook; without it the id of the message or received text.
   */
  readonly id: string
  /**
   * Header `webhook-sequence` of the received webhook: the event's position in the order of the
   * relay.
   */
  readonly sequence?: number | undefined
  /**
   * Header `webhook-previous` of the received webhook: the sequence of the subscription's event
   * before this one.
   */
  readonly previous?: number | undefined
}

/**
 * How a webhook arrived at a receiver: `doubled` was received before, `reordered` comes after
 * more later events than the subscription's window allows.
 */
export type OrderResult = 'accepted' | 'doubled' | 'reordered'

/**
 * Finds doubled, reordered and lost events of one subscription in the webhooks that a receiver
 * gets. An event is lost if another names it in `previous` and it is never received.
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
  readonly #window: number
  /** The highest received sequences, as many as the window. */
  #latest: readonly number[] = []

  /** @param window webhooks that the subscription may have in flight: fewer may overtake one */
  constructor(window = 1) {
    this.#window = window
  }

  /** Adds a received webhook; call it in the order of processing. */
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
    if (previous !== undefined) this.#checkPrevious(sequence, previous)
    this.#sequences.add(sequence)
    this.#missing.delete(sequence)
    const isOvertaken = this.#isOvertaken(sequence)
    this.#latest = [...this.#latest, sequence].sort((a, b) => a - b).slice(-this.#window)
    if (isOvertaken) {
      this.#reordered += 1
      return 'reordered'
    }
    this.#highest = Math.max(sequence, this.#highest)
    return 'accepted'
  }

  get accepted(): number {
    return this.#ids.size
  }

  get doubled(): number {
    return this.#doubled
  }

  get reordered(): number {
    return this.#reordered
  }

  /** Minimum number of lost events, which no webhook delivered: each gap counts once. */
  get lost(): number {
    return this.#missing.size
  }

  /** Number of webhooks without a sequence, whose order and gaps are unknown. */
  get unjudged(): number {
    return this.#unjudged
  }

  /**
   * Whether several subscriptions send webhooks to a receiver: an event came in a gap between
   * neighbours.
   */
  get shared(): boolean {
    return this.#shared
  }

  /** For a receiver: whether as many later events as the window came before. */
  #isOvertaken(sequence: number): boolean {
    const [oldest = sequence] = this.#latest
    return this.#latest.length === this.#window && oldest > sequence
  }

  #checkPrevious(sequence: number, previous: number): void {
    this.#begin ??= previous
    if (previous > this.#begin && !this.#sequences.has(previous)) this.#missing.add(previous)
    if (previous < this.#highest && this.#highest < sequence) this.#shared = true
  }
}
