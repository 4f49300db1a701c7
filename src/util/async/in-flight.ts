/** Counts what is going on, so that others can wait until nothing is. */
export class InFlight {
  #running = 0
  #waiting: (() => void)[] = []

  /** Counts `work` in until it has settled. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
      if (this.#running === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  /** Resolves when nothing is going on. */
  async idle(): Promise<void> {
    if (this.#running === 0) return
    await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}
