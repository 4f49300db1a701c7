import { getBackoff } from '../../../../util/async/backoff.js'
import type { Clock } from '../../../../util/async/clock.js'
import { LostConnection } from './statement.js'

export interface OutageOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly probe: () => Promise<void>
}

/** Milliseconds for which statements wait for a database that cannot be reached. */
const patience = 10_000
const delays = { first: 20, max: 500 }

/**
 * Notices that the database cannot be reached, and when it can be reached again. One task tries to
 * connect meanwhile, however many statements wait. A database that is read-only can be reached: it
 * takes no change until a statement has written.
 */
export class Outage {
  readonly #options: OutageOptions
  readonly #closing = new AbortController()
  #present: { readonly since: number; readonly end: Promise<void> } | undefined
  #readOnlySince: number | undefined

  constructor(options: OutageOptions) {
    this.#options = options
  }

  get isPresent(): boolean {
    return this.#present !== undefined
  }

  get isLong(): boolean {
    return this.#present !== undefined && this.#getRemaining(this.#present.since) <= 0
  }

  /** Whether the database has refused changes for so long that nobody waits for it any more. */
  get isLongReadOnly(): boolean {
    return this.#readOnlySince !== undefined && this.#getRemaining(this.#readOnlySince) <= 0
  }

  /** @param since when the work that failed began */
  begin(since: number): void {
    if (this.#present !== undefined || this.#closing.signal.aborted) return
    this.#present = { since, end: this.#probeUntilSuccess() }
  }

  refuseChange(since: number): void {
    this.#readOnlySince ??= since
  }

  takeChange(): void {
    this.#readOnlySince = undefined
  }

  /** Waits for the end of an outage; throws LostConnection once it has lasted 10 s. */
  async waitForEnd(): Promise<void> {
    const present = this.#present
    if (present === undefined) return
    const remaining = this.#getRemaining(present.since)
    const error = new LostConnection('The database cannot be reached.')
    if (remaining <= 0 || this.#closing.signal.aborted) throw error
    let cancel = () => {}
    const expired = new Promise<never>((_, reject) => {
      cancel = this.#options.clock.after(remaining, () => reject(error))
    })
    await Promise.race([present.end, expired]).finally(cancel)
    if (this.#closing.signal.aborted) throw error
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#present?.end
  }

  #getRemaining(since: number): number {
    return since + patience - this.#options.clock.monotonic()
  }

  async #probeUntilSuccess(): Promise<void> {
    const { clock, random, probe } = this.#options
    const { signal } = this.#closing
    for (let failures = 1; !signal.aborted; failures += 1) {
      await clock.sleep(getBackoff(failures, random(), delays), signal)
      if (signal.aborted) break
      try {
        await probe()
        break
      } catch {
        // The database still cannot be reached.
      }
    }
    this.#present = undefined
  }
}
