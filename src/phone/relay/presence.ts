/** What the loops of one phone know together of whether its relay hears of it. */
export class PresenceTracker {
  readonly #now: () => number
  #waiting = 0
  #asking = 0
  #heardAt: number
  #quiet = new AbortController()

  /** @param now milliseconds since any fixed moment */
  constructor(now: () => number) {
    this.#now = now
    this.#heardAt = now()
  }

  /** Whether a loop waits for something before it asks, while none does ask. */
  get shouldReport(): boolean {
    return this.#waiting > 0 && this.#asking === 0
  }

  /** When the relay last heard of the phone, by the clock of the constructor; before that, when the phone began. */
  get lastContactAt(): number {
    return this.#heardAt
  }

  /** Aborted when the next loop comes to wait for the end of quiet hours. */
  get quietHoursBegan(): AbortSignal {
    return this.#quiet.signal
  }

  /** Notes that the relay hears of the phone now. */
  recordContact(): void {
    this.#heardAt = this.#now()
  }

  /** Asks the relay for a message, of which it hears. */
  async trackRequest<T>(work: () => Promise<T>): Promise<T> {
    this.#asking += 1
    try {
      return await work()
    } finally {
      this.#asking -= 1
      this.recordContact()
    }
  }

  /** Waits for something before asking, maybe for long. */
  async trackWait<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    try {
      return await work()
    } finally {
      this.#waiting -= 1
    }
  }

  /** Waits for the end of quiet hours. */
  async trackQuietHours(work: () => Promise<void>): Promise<void> {
    await this.trackWait(async () => {
      this.#quiet.abort()
      this.#quiet = new AbortController()
      await work()
    })
  }
}
