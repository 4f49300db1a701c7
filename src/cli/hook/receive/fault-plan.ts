import { createSeededRandom } from '../../../util/crypto/seeded-random.js'

/** How often a receiver is to misbehave: shares are 0 to 1. */
export interface FaultShares {
  /** Hits that are answered with 500, 503 or 429. */
  readonly fail: number
  /** Hits whose connection is reset, half of them after the work was done. */
  readonly reset: number
  /** Milliseconds before anything is done, on average: from half of it to half more. */
  readonly delay: number
}

/** What becomes of one hit; `worked` says whether its event counts as received. */
export interface PlannedReply {
  readonly worked: boolean
  /** What is answered; null resets the connection instead. */
  readonly status: 200 | 500 | 503 | 429 | null
  /** Milliseconds to wait first. */
  readonly delay: number
}

const errorStatuses = [500, 503, 429] as const

/** Decides on hits by a seed: the n-th hit of a lane has the same fate in every run. */
export class FaultPlan {
  readonly #shares: FaultShares
  readonly #seed: number
  readonly #lanes = new Map<string, () => number>()

  constructor(shares: FaultShares, seed: number) {
    this.#shares = shares
    this.#seed = seed
  }

  /** The fate of a lane's next hit. */
  next(lane: string): PlannedReply {
    const random = this.#lanes.get(lane) ?? createSeededRandom(mixSeed(this.#seed, lane))
    this.#lanes.set(lane, random)
    const { fail, reset } = this.#shares
    const [chance, kind, jitter] = [random(), random(), random()]
    const delay = this.#shares.delay * (0.5 + jitter)
    if (chance < fail)
      return { worked: false, status: errorStatuses[Math.floor(kind * 3)] ?? 500, delay }
    if (chance < fail + reset) return { worked: kind < 0.5, status: null, delay }
    return { worked: true, status: 200, delay }
  }
}

/** Seeds of different names of one seed, independent of each other (FNV-1a). */
function mixSeed(seed: number, name: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return hash >>> 0
}
