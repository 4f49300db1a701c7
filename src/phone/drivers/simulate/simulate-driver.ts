import { appendFile } from 'node:fs/promises'
import type { Clock } from '../../../util/async/clock.js'
import { createSeededRandom } from '../../../util/crypto/seeded-random.js'
import {
  type Driver,
  DriverError,
  type DriverErrorKind,
  type DriverListener,
  type DriverMessage,
  type DriverReceipt,
} from '../../driver-port/driver.js'
import type { DriverOptions } from '../../driver-port/driver-options.js'
import {
  type CrashStep,
  type Fault,
  parseSimulateSettings,
  type SimulateSettings,
} from './simulate-settings.js'
import { drawOutcome, type SimulatedOutcome } from './simulated-outcome.js'

export { simulateOptions } from './simulate-settings.js'

/** What the simulated telephony uses of the world. */
export interface SimulateContext {
  readonly clock: Clock
  readonly random: () => number
  /** Ends this process as a crash would. */
  readonly crash: () => void
}

/**
 * A driver that sends nothing, and injects faults. Each text takes `delay` milliseconds and up to `jitter` more. Shares
 * of the texts, 0 to 1, meet one of: `retry-rate` (also `failure-rate`), `fail-rate` and `trouble-rate` are not sent,
 * with that error; `unknown-rate` is not sent and nobody knows; `lost-rate` is sent and nobody knows; `hang-rate` never
 * answers until it is stopped. Of those sent, `duplicate-rate` goes out twice, `report-rate` has a delivery report and
 * `incoming-rate` an answer, `incoming-text`. `crash=before` or `crash=after` the sending kills the process, with
 * `crash-rate` (@default 1). `outbox` is a file that gets a line of JSON for each text that went out. With a `seed` the
 * same texts meet the same each time. Throws `usage`.
 */
export function createSimulateDriver(options: DriverOptions, context: SimulateContext): Driver {
  return new SimulateDriver(parseSimulateSettings(options), context)
}

const errorKinds: Readonly<Partial<Record<Fault, DriverErrorKind>>> = {
  failure: 'retry',
  retry: 'retry',
  fail: 'fail',
  trouble: 'trouble',
  unknown: 'unknown',
}

class SimulateDriver implements Driver {
  readonly name = 'simulate'
  readonly #settings: SimulateSettings
  readonly #context: SimulateContext
  readonly #random: () => number
  #listener: DriverListener | undefined

  constructor(settings: SimulateSettings, context: SimulateContext) {
    this.#settings = settings
    this.#context = context
    this.#random = settings.seed === undefined ? context.random : createSeededRandom(settings.seed)
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt> {
    const fate = drawOutcome(this.#settings, this.#random)
    await this.#take(fate, signal)
    const kind = fate.fault && errorKinds[fate.fault]
    if (kind !== undefined) throw new DriverError(kind, 'Simulated failure.')
    this.#crashAt('before', fate)
    await this.#goOut(message, fate)
    this.#crashAt('after', fate)
    if (fate.fault === 'lost') throw new DriverError('unknown', 'Simulated loss of the result.')
    this.#tell(message, fate)
    return {}
  }

  async health() {
    return { ok: true, detail: 'Simulated: no text leaves this machine.' }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #take({ delay, fault }: SimulatedOutcome, signal: AbortSignal): Promise<void> {
    if (fault === 'hang') {
      await waitForAbort(signal)
      throw new DriverError('unknown', 'Simulated hang, ended by a stop.')
    }
    if (delay > 0) await this.#context.clock.sleep(delay, signal)
    if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
  }

  #crashAt(step: CrashStep, { crashes }: SimulatedOutcome): void {
    if (crashes && this.#settings.crash === step) this.#context.crash()
  }

  async #goOut(
    { id, destination, text }: DriverMessage,
    { doubled }: SimulatedOutcome,
  ): Promise<void> {
    const { outbox } = this.#settings
    if (outbox === undefined) return
    const line = `${JSON.stringify({ id, destination, text, at: this.#context.clock.now() })}\n`
    try {
      await appendFile(outbox, doubled ? line + line : line, { mode: 0o600 })
    } catch (cause) {
      const { message } = cause as Error
      throw new DriverError('trouble', `The outbox cannot be written: ${message}`, { cause })
    }
  }

  #tell({ destination }: DriverMessage, { reported, answered }: SimulatedOutcome): void {
    if (reported) this.#listener?.onReceipt({ to: destination, state: 'delivered' })
    if (!answered) return
    const { incomingText: text } = this.#settings
    const incoming = { from: destination, text, at: this.#context.clock.now() }
    // An answer that cannot be kept does not make the text it answers any less sent.
    void Promise.resolve(this.#listener?.onText(incoming)).catch(() => {})
  }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
