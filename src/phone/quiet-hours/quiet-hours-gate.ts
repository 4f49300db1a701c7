import type { Clock } from '../../util/async/clock.js'
import type { QuietHours } from './quiet-hours.js'

interface QuietHoursGateOptions {
  readonly hours: QuietHours | undefined
  readonly clock: Clock
  readonly stop: AbortSignal
  readonly onQuiet: (until: number) => void
}

/**
 * Milliseconds of one wait in quiet hours; the clock may be set and a machine may sleep, so waits
 * are split.
 */
const maxPause = 60_000

export class QuietHoursGate {
  readonly #options: QuietHoursGateOptions
  #reportedEnd: number | undefined

  constructor(options: QuietHoursGateOptions) {
    this.#options = options
  }

  /** Whether it is the phone's quiet hours now; calls `onQuiet` once each time they begin. */
  isQuiet(): boolean {
    return this.#getEnd() !== undefined
  }

  async waitForEnd(): Promise<void> {
    const { clock, stop } = this.#options
    for (let end = this.#getEnd(); end !== undefined && !stop.aborted; end = this.#getEnd()) {
      await clock.sleep(Math.min(end - clock.now(), maxPause), stop)
    }
  }

  /** Limits a phone's wait in whole seconds to the time before the next quiet hours. */
  limitWait(seconds: number): number {
    const { hours, clock } = this.#options
    const now = clock.now()
    const start = hours?.findStart(now, seconds * 1000)
    return start === undefined ? seconds : Math.floor((start - now) / 1000)
  }

  #getEnd(): number | undefined {
    const { hours, clock, onQuiet } = this.#options
    const end = hours?.getEnd(clock.now())
    if (end !== undefined && end !== this.#reportedEnd) onQuiet(end)
    this.#reportedEnd = end
    return end
  }
}
