import { RelayError } from '../../errors.js'

export class Semaphore {
  readonly #limit: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  /**
   * @param maxWaiting pieces of work that may wait for the semaphore; more are refused. @default no
   * limit
   */
  constructor(limit: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#limit = limit
    this.#maxWaiting = maxWaiting
  }

  /**
   * Runs `work` when the semaphore has a place, and settles as it does. Throws `unavailable` if too
   * many wait already.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#acquire()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  async #acquire(): Promise<void> {
    if (this.#running < this.#limit) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new RelayError('unavailable', 'Too many requests at once; try again in a moment.', {
        retryAfter: 1,
      })
    }
    await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}
