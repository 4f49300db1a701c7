/** Runs asynchronous work on the same key one piece at a time, in the order of the calls. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Queues `work` until all earlier work on the key has settled; settles as `work` does. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const result = before === undefined ? work() : before.then(work)
    // A failure in the keyed queue belongs to its own caller.
    const settled = result.catch(() => {})
    this.#last.set(key, settled)
    try {
      return await result
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    }
  }
}
