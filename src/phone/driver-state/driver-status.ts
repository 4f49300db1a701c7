// The state of the driver while the phone runs.
//
// 1. driver-calls.ts calls the driver. All calls share one signal, and a forced stop gives up those
//    that ignore it.
// 2. `runWatch` runs a watch of the driver, such as a connection, and restarts it after a failure.
// 3. `DriverStatus` knows from the watches whether the driver can send, and counts its successes.

import { errorText } from '../../errors.js'
import { runWithSignal } from '../../util/async/abort.js'
import type { Clock } from '../../util/async/clock.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import { DriverError, type DriverWatch } from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'

type WatchState = 'opening' | 'up' | 'down'

export class DriverStatus {
  onChange: () => void = () => {}
  readonly #states = new Map<string, WatchState>()
  readonly #waiting = new Set<() => void>()
  #trouble: string | undefined
  #successes = 0
  #isProbing = false

  get successCount(): number {
    return this.#successes
  }

  get isDown(): boolean {
    const states = [...this.#states.values()]
    return states.length > 0 && states.every(state => state === 'down')
  }

  get trouble(): string | undefined {
    return this.isDown ? this.#trouble : undefined
  }

  recordSuccess(): void {
    this.#successes += 1
    this.#isProbing = false
  }

  /**
   * Whether the phone may try one more message to find the cause of the driver's trouble; once
   * until a success.
   */
  startProbe(): boolean {
    const canProbe = !this.#isProbing
    this.#isProbing = true
    return canProbe
  }

  /** Sets the state of a driver's watched connection; without any, the driver counts as ready. */
  setState(name: string, state: WatchState, trouble?: string): void {
    this.#states.set(name, state)
    this.#trouble = trouble ?? this.#trouble
    for (const check of [...this.#waiting]) check()
    this.onChange()
  }

  /**
   * Waits until the driver can send a text; false after a stop, or with `once` if all connections
   * are down.
   */
  async waitUntilReady(stop: AbortSignal, once: boolean): Promise<boolean> {
    return await runWithSignal(
      [stop],
      signal =>
        new Promise<boolean>(resolve => {
          const check = () => {
            const states = [...this.#states.values()]
            const isReady = states.length === 0 || states.includes('up')
            if (!isReady && !signal.aborted && !(once && this.isDown)) return
            this.#waiting.delete(check)
            resolve(isReady && !signal.aborted)
          }
          this.#waiting.add(check)
          signal.addEventListener('abort', check, { once: true })
          check()
        }),
    )
  }
}

interface DriverWatchOptions {
  readonly driverStatus: DriverStatus
  readonly onEvent: (event: PhoneEvent) => void
  readonly stop: AbortSignal
  readonly clock: Clock
  readonly random: () => number
}

/** Runs a driver's watch until stopped, and restarts it with growing pauses when it fails. */
export async function runWatch(watch: DriverWatch, options: DriverWatchOptions): Promise<void> {
  const { driverStatus, onEvent, stop } = options
  const backoff = new FailureBackoff(options)
  const setState = (state: WatchState, trouble?: string) => {
    if (watch.isRequiredToSend) driverStatus.setState(watch.name, state, trouble)
  }
  const onWorking = () => {
    setState('up')
    if (backoff.recordSuccess()) onEvent({ event: 'recovered' })
  }
  setState('opening')
  while (!stop.aborted) {
    const error = await runUntilFailure(watch, onWorking, stop)
    if (stop.aborted) return
    const trouble = errorText(error)
    setState('down', trouble)
    if (backoff.recordFailure()) onEvent({ event: 'trouble', error: trouble })
    await backoff.wait(stop, error instanceof DriverError ? error.wait : 0)
  }
}

async function runUntilFailure(
  watch: DriverWatch,
  onWorking: () => void,
  stop: AbortSignal,
): Promise<unknown> {
  try {
    await runWithSignal([stop], async signal => await watch.run(onWorking, signal))
    return new DriverError('trouble', `${watch.name} ended.`)
  } catch (error) {
    return error
  }
}
