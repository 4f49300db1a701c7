/** Lets so many pieces of work go on at a time, the others in the order they came. */
export class Semaphore {
  #free: number
  readonly #queue: (() => void)[] = []

  constructor(size: number) {
    this.#free = size
  }

  /** Does the work when there is room. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>(resolve => this.#queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
