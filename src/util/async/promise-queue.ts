/** Runs asynchronous work one piece at a time, in the order of the calls. */
export class PromiseQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    // A failure in the promise queue belongs to its own caller and does not stop the queue.
    this.#last = result.catch(() => {})
    return result
  }

  async idle(): Promise<void> {
    await this.#last
  }
}
