import type { Pause } from '../../util/async/clock.js'
import type { QuietHours } from './quiet-hours.js'

/** What a {@link Calm} works with. */
export interface QuietHoursGateOptions {
  readonly hours: QuietHours | undefined
  /** Milliseconds since the epoch. */
  readonly time: () => number
  readonly pause: Pause
  readonly stop: AbortSignal
  /** Told when quiet hours begin, with their end in milliseconds since the epoch. */
  readonly onQuiet: (until: number) => void
}

/** The clock may be set, and a machine may sleep, so it is looked at that often. */
const maxPause = 60_000

/** One loop's way through quiet hours. */
export class QuietHoursGate {
  readonly #options: QuietHoursGateOptions
  #told: number | undefined

  constructor(options: QuietHoursGateOptions) {
    this.#options = options
  }

  /** Whether quiet hours are on; tells them once. */
  isQuiet(): boolean {
    return this.#until() !== undefined
  }

  /** Waits for the end of quiet hours, or a stop. */
  async waitForEnd(): Promise<void> {
    const { time, pause, stop } = this.#options
    for (let until = this.#until(); until !== undefined && !stop.aborted; until = this.#until()) {
      await pause(Math.min(until - time(), maxPause), stop)
    }
  }

  /** So many whole seconds, or fewer where quiet hours begin before. */
  limitWait(seconds: number): number {
    const { hours, time } = this.#options
    const now = time()
    const begin = hours?.findStart(now, seconds * 1000)
    return begin === undefined ? seconds : Math.floor((begin - now) / 1000)
  }

  #until(): number | undefined {
    const { hours, time, onQuiet } = this.#options
    const until = hours?.getEnd(time())
    if (until !== undefined && until !== this.#told) onQuiet(until)
    this.#told = until
    return until
  }
}
