import { createSeededRandom } from '../../../util/crypto/seeded-random.js'

/** How often `hook receive` simulates a failing receiver; shares are 0 to 1. */
export interface FaultShares {
  /** Share of webhooks that get the status 500, 503 or 429. */
  readonly fail: number
  /** Share of webhooks whose connection is reset, half of them after processing. */
  readonly reset: number
  /** Mean delay in milliseconds; each webhook is delayed by 0.5 to 1.5 times this. */
  readonly delay: number
}

export interface PlannedReply {
  readonly isProcessed: boolean
  /** HTTP status of the simulated receiver; null resets the connection. */
  readonly status: 200 | 500 | 503 | 429 | null
  /** Milliseconds before the response or the reset. */
  readonly delay: number
}

const errorStatuses = [500, 503, 429] as const

/**
 * Simulated faults of `hook receive`. With the same seed, the n-th webhook of an address gets the
 * same reply in every run.
 */
export class FaultPlan {
  readonly #shares: FaultShares
  readonly #seed: number
  readonly #randoms = new Map<string, () => number>()

  constructor(shares: FaultShares, seed: number) {
    this.#shares = shares
    this.#seed = seed
  }

  planNext(address: string): PlannedReply {
    const random = this.#randoms.get(address) ?? createSeededRandom(mixSeed(this.#seed, address))
    this.#randoms.set(address, random)
    const { fail, reset } = this.#shares
    const [chance, kind, jitter] = [random(), random(), random()]
    const delay = this.#shares.delay * (0.5 + jitter)
    if (chance < fail) {
      return { isProcessed: false, status: errorStatuses[Math.floor(kind * 3)] ?? 500, delay }
    }
    if (chance < fail + reset) return { isProcessed: kind < 0.5, status: null, delay }
    return { isProcessed: true, status: 200, delay }
  }
}

/** Combines the --seed of a simulated receiver and a name by FNV-1a. */
function mixSeed(seed: number, name: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return hash >>> 0
}
