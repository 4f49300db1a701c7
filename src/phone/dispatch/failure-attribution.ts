import { limits } from '../../domain/limits.js'
import type { Pause } from '../../util/async/clock.js'
import type { Outcome } from '../driver-port/attempt-outcome.js'
import type { Driver } from '../driver-port/driver.js'
import type { Line } from './driver-status.js'

/** What {@link Blame} works with. */
export interface BlameOptions {
  readonly driver: Driver
  readonly line: Line
  readonly pause: Pause
}

/**
 * What trouble with a message means: telephony's, so the message is kept; the message's own, because telephony works;
 * or not known, and the next message will tell.
 */
export type BlameVerdict = 'telephony' | 'message' | 'unclear'

const tries = 5
const healthTakes = 20_000

/** Decides whether trouble again and again is telephony's or that of the one message in hand. */
export class Blame {
  readonly #options: BlameOptions
  #id: string | undefined
  #tries = 0
  #worksBefore = 0

  constructor(options: BlameOptions) {
    this.#options = options
  }

  /** Notes trouble with a message; from the fifth in a row on it may be the message's own. Never rejects. */
  async judge(id: string): Promise<BlameVerdict> {
    const { driver, line } = this.#options
    if (id !== this.#id) {
      this.#id = id
      this.#tries = 0
      this.#worksBefore = line.works
    }
    this.#tries += 1
    if (this.#tries < tries) return 'telephony'
    const verdict = driver.health === undefined ? this.#compare() : await this.#ask()
    if (verdict !== 'telephony') this.#id = undefined
    return verdict
  }

  /** Without a driver that knows, other messages tell; one is let go so that there is another. */
  #compare(): BlameVerdict {
    const { line } = this.#options
    if (line.works > this.#worksBefore) return 'message'
    return line.mayTry() ? 'unclear' : 'telephony'
  }

  async #ask(): Promise<BlameVerdict> {
    const { driver, pause } = this.#options
    const done = new AbortController()
    const late = pause(healthTakes, done.signal)
    try {
      const health = await Promise.race([driver.health?.(), late])
      return health?.ok === true ? 'message' : 'telephony'
    } catch {
      return 'telephony'
    } finally {
      done.abort()
    }
  }
}

/** What is reported of a message that had nothing but trouble. */
export function givenUp(error: string): Outcome {
  const text = `Not sent in ${tries} tries: ${error}`
  return { result: 'failed', error: [...text].slice(0, limits.errorMessage).join('') }
}
