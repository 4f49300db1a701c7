/**
 * Spreads work over turns of the event loop, so that no turn is long: in each turn a few pieces of
 * work begin; the others follow in the order of the calls.
 */
export class TurnPacer {
  readonly #perTurn: number
  readonly #waiting = new Set<() => void>()
  #begun = 0

  constructor(perTurn: number) {
    this.#perTurn = perTurn
  }

  /** Resolves when the pacer lets the next piece of work begin. */
  async take(): Promise<void> {
    if (this.#waiting.size === 0 && this.#begun < this.#perTurn) this.#begin()
    else await new Promise<void>(resolve => this.#waiting.add(resolve))
  }

  /** Maps items in order, in turns of the pacer; `perPiece` of them are a piece of work. */
  async map<T, R>(
    items: readonly T[],
    perPiece: number,
    convert: (item: T, at: number) => R,
  ): Promise<R[]> {
    const results: R[] = []
    for (const [at, item] of items.entries()) {
      if (at % perPiece === 0) await this.take()
      results.push(convert(item, at))
    }
    return results
  }

  #begin(): void {
    this.#begun += 1
    if (this.#begun === 1) setImmediate(() => this.#continue())
  }

  #continue(): void {
    this.#begun = 0
    for (const resolve of this.#waiting) {
      if (this.#begun === this.#perTurn) return
      this.#waiting.delete(resolve)
      this.#begin()
      resolve()
    }
  }
}
