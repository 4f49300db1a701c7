import type { DriverTrouble } from '../driver-port/attempt-outcome.js'
import type { DispatchContext } from './dispatch-context.js'

type PauseContext = Pick<
  DispatchContext,
  'driverBackoff' | 'presence' | 'clock' | 'stop' | 'once' | 'emit'
>

/**
 * The pause after driver trouble: as long as the driver asks for, or else growing until a message
 * is sent. Afterwards one message at a time is tried.
 */
export class TroublePause {
  readonly #context: PauseContext
  #trouble: string | undefined
  #waiting: Promise<void> | undefined
  #isPaused = false
  #isRequested = false
  #failures = 0

  constructor(context: PauseContext) {
    this.#context = context
  }

  get trouble(): string | undefined {
    return this.#trouble
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  get isLasting(): boolean {
    return this.#failures > 1
  }

  /** Waits after trouble with a message; troubles at the same time share a pause. */
  async wait(id: string, { error, wait = 0 }: DriverTrouble): Promise<void> {
    const { driverBackoff, emit, once } = this.#context
    this.#trouble = error
    this.#isRequested ||= wait > 0
    if (this.#waiting === undefined) {
      this.#failures += 1
      if (driverBackoff.recordFailure()) emit({ event: 'trouble', id, error })
      this.#isPaused = true
      if (!once) this.#waiting = this.#sleep(wait)
    }
    await this.#waiting
  }

  /** Ends the pause, unless the driver asked for it. */
  end(): void {
    const { driverBackoff, emit } = this.#context
    this.#trouble = undefined
    this.#failures = 0
    this.#isPaused &&= this.#isRequested
    if (driverBackoff.recordSuccess()) emit({ event: 'recovered' })
  }

  async #sleep(wait: number): Promise<void> {
    const { driverBackoff, presence, clock, stop } = this.#context
    await presence.trackWait(async () => {
      if (wait > 0) await clock.sleep(wait, stop)
      else await driverBackoff.wait(stop)
    })
    this.#waiting = undefined
    this.#isPaused = false
    this.#isRequested = false
  }
}
