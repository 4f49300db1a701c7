export class InFlight {
  #count = 0
  #waiting: (() => void)[] = []

  async track<T>(work: Promise<T>): Promise<T> {
    this.#count += 1
    try {
      return await work
    } finally {
      this.#count -= 1
      if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  async idle(): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}
