import { setMaxListeners } from 'node:events'
import type { Clock } from '../../util/async/clock.js'
import {
  type Driver,
  DriverError,
  type DriverMessage,
  type DriverReceipt,
} from '../driver-port/driver.js'

interface DriverCallsOptions {
  readonly driver: Driver
  readonly force: AbortSignal
  readonly clock: Clock
}

/** Milliseconds. */
const graceAfterForce = 5000

/**
 * The calls of the driver that are in progress. They share one signal, and one that ignores the
 * forced stop is given up after five seconds.
 */
export class DriverCalls implements Disposable {
  readonly #options: DriverCallsOptions
  readonly #stopDriver = new AbortController()
  readonly #disposed = new AbortController()
  readonly #giveUps = new Set<() => void>()

  constructor(options: DriverCallsOptions) {
    this.#options = options
    // Each call of a driver may listen to the signal.
    setMaxListeners(0, this.#stopDriver.signal)
    const { force } = options
    force.addEventListener('abort', this.#stop, { once: true })
    if (force.aborted) this.#stop()
  }

  async send(message: DriverMessage): Promise<DriverReceipt> {
    const { driver, force } = this.#options
    return await new Promise<DriverReceipt>((resolve, reject) => {
      const giveUp = () =>
        reject(new DriverError('unknown', `The ${driver.name} driver did not stop.`))
      this.#giveUps.add(giveUp)
      if (force.aborted) void this.#giveUpLate()
      const finish = () => this.#giveUps.delete(giveUp)
      this.#call(message).then(
        receipt => {
          finish()
          resolve(receipt)
        },
        error => {
          finish()
          reject(error)
        },
      )
    })
  }

  async #call(message: DriverMessage): Promise<DriverReceipt> {
    return await this.#options.driver.send(message, this.#stopDriver.signal)
  }

  readonly #stop = (): void => {
    this.#stopDriver.abort()
    if (this.#giveUps.size > 0) void this.#giveUpLate()
  }

  async #giveUpLate(): Promise<void> {
    await this.#options.clock.sleep(graceAfterForce, this.#disposed.signal)
    for (const giveUp of this.#giveUps) giveUp()
  }

  [Symbol.dispose](): void {
    this.#options.force.removeEventListener('abort', this.#stop)
    this.#disposed.abort()
  }
}
