import { RelayError } from '../../errors.js'

/** Lets a few pieces of costly work run at once, has a few more wait, and refuses the rest. */
export class Semaphore {
  readonly #atOnce: number
  readonly #waiting: number
  readonly #queue: (() => void)[] = []
  #running = 0

  /**
   * @param atOnce how many run at the same time
   * @param waiting how many wait for their turn
   */
  constructor(atOnce: number, waiting: number) {
    this.#atOnce = atOnce
    this.#waiting = waiting
  }

  /** Does `work` when it is its turn. Throws what it throws, and `unavailable` when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1
      return
    }
    if (this.#queue.length >= this.#waiting) {
      throw new RelayError('unavailable', 'Too many are asking at once; try again in a moment.', {
        retryAfter: 1,
      })
    }
    await new Promise<void>(resolve => this.#queue.push(resolve))
  }
}
