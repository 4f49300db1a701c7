import { limits } from '../../domain/limits.js'

/** The number of items in a report: smaller after a larger report was refused as a whole. */
export class BatchLimit {
  #size: number = limits.messageBatch

  get size(): number {
    return this.#size
  }

  /**
   * Halves the limit after a report with so many items was refused. False if it had one: then the
   * item is the cause, and the limit is the highest again.
   */
  narrow(refused: number): boolean {
    const canHalve = refused > 1
    this.#size = canHalve ? Math.floor(refused / 2) : limits.messageBatch
    return canHalve
  }

  /** Raises the limit slowly: a proxy may refuse larger reports for ever. */
  recordSuccess(): void {
    this.#size = Math.min(this.#size + 1, limits.messageBatch)
  }
}
