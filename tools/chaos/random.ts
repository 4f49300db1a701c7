import { createSeededRandom } from '../../src/util/crypto/seeded-random.js'

/** Random numbers that depend only on a seed. */
export class Random {
  readonly #next: () => number

  /** @param name gives users of one seed independent numbers */
  constructor(seed: number, name: string) {
    let mixed = seed >>> 0
    for (const letter of name)
      mixed = (Math.imul(mixed ^ letter.charCodeAt(0), 16_777_619) >>> 0) + 1
    this.#next = createSeededRandom(mixed)
  }

  /** From 0 to 1, without 1. */
  fraction(): number {
    return this.#next()
  }

  /** An integer from 0, less than `limit`. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  /** A copy in random order. */
  shuffle<T>(things: readonly T[]): T[] {
    const all = [...things]
    for (let at = all.length - 1; at > 0; at -= 1) {
      const other = this.below(at + 1)
      const kept = all[at] as T
      all[at] = all[other] as T
      all[other] = kept
    }
    return all
  }
}
