// The driver `simulate`: sends nothing and injects faults, for tests and demonstrations.
//
// 1. simulate-settings.ts parses delays and rates.
// 2. For each text, `drawOutcome` draws a random outcome.
// 3. The driver waits, fails, crashes or writes the text to the outbox accordingly, and simulates
//    receipts (simulated-receipts.ts) and an answer.

import { appendFile } from 'node:fs/promises'
import { errorText } from '../../../errors.js'
import { waitForAbort } from '../../../util/async/abort.js'
import { createSeededRandom } from '../../../util/crypto/seeded-random.js'
import {
  type Driver,
  DriverError,
  type DriverErrorKind,
  type DriverListener,
  type DriverMessage,
  type DriverReceipt,
} from '../../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../../driver-port/driver-options.js'
import {
  type Fault,
  faults,
  parseSimulateSettings,
  type SimulateSettings,
} from './simulate-settings.js'
import { createNetworkIds, SimulatedReceipts } from './simulated-receipts.js'

type SimulateContext = Pick<DriverContext, 'clock' | 'random' | 'crash'>

interface SimulatedOutcome {
  /** Milliseconds. */
  readonly delay: number
  readonly fault?: Fault
  readonly crashes: boolean
  readonly isDoubled: boolean
  readonly hasAnswer: boolean
  readonly hasReceipt: boolean
}

/**
 * Creates the driver `simulate` (docs/reference/drivers.md). With a seed, the same texts have the
 * same outcomes. Throws `usage`.
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
  readonly #receipts: SimulatedReceipts
  #listener: DriverListener | undefined

  constructor(settings: SimulateSettings, context: SimulateContext) {
    this.#settings = settings
    this.#context = context
    const { seed } = settings
    this.#random = seed === undefined ? context.random : createSeededRandom(seed)
    this.#receipts = new SimulatedReceipts(settings, context)
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt> {
    const outcome = drawOutcome(this.#settings, this.#random)
    await this.#wait(outcome, signal)
    const kind = outcome.fault && errorKinds[outcome.fault]
    if (kind !== undefined) throw new DriverError(kind, 'Simulated failure.')
    this.#crashAt('before', outcome)
    await this.#writeToOutbox(message, outcome)
    this.#crashAt('after', outcome)
    if (outcome.fault === 'lost') throw new DriverError('unknown', 'Simulated loss of the result.')
    this.#answer(message, outcome)
    if (this.#settings['report-rate'] === 0) return {}
    const networkIds = createNetworkIds(message)
    if (outcome.hasReceipt) this.#receipts.send(message, networkIds, this.#listener)
    return { parts: networkIds.length, networkIds }
  }

  async health() {
    return { ok: true, detail: 'Simulated: no text leaves this machine.' }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#receipts.stop()
  }

  async #wait({ delay, fault }: SimulatedOutcome, signal: AbortSignal): Promise<void> {
    if (fault === 'hang') {
      await waitForAbort(signal)
      throw new DriverError('unknown', 'Simulated hang, ended by a stop.')
    }
    if (delay > 0) await this.#context.clock.sleep(delay, signal)
    if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
  }

  #crashAt(step: SimulateSettings['crash'], { crashes }: SimulatedOutcome): void {
    if (crashes && this.#settings.crash === step) this.#context.crash()
  }

  async #writeToOutbox(
    { id, destination, text }: DriverMessage,
    { isDoubled }: SimulatedOutcome,
  ): Promise<void> {
    const { outbox } = this.#settings
    if (outbox === undefined) return
    const line = `${JSON.stringify({ id, destination, text, at: this.#context.clock.now() })}\n`
    try {
      await appendFile(outbox, isDoubled ? line + line : line, { mode: 0o600 })
    } catch (cause) {
      const reason = errorText(cause)
      throw new DriverError('trouble', `The outbox cannot be written: ${reason}`, { cause })
    }
  }

  #answer({ destination }: DriverMessage, { hasAnswer }: SimulatedOutcome): void {
    if (!hasAnswer) return
    const { 'incoming-text': text } = this.#settings
    const answer = { from: destination, text, at: this.#context.clock.now() }
    // The simulated text counts as sent even if its answer cannot be stored.
    void Promise.resolve(this.#listener?.onText(answer)).catch(() => {})
  }
}

/**
 * The simulate driver always draws the same number of random numbers, so that no rate changes
 * another outcome.
 */
function drawOutcome(settings: SimulateSettings, random: () => number): SimulatedOutcome {
  const fault = findFault(settings, random())
  const delay = settings.delay + settings.jitter * random()
  const happens = (rate: number) => random() < rate
  return {
    delay,
    ...(fault === undefined ? {} : { fault }),
    crashes: happens(settings['crash-rate'] ?? (settings.crash === undefined ? 0 : 1)),
    isDoubled: happens(settings['duplicate-rate']),
    hasAnswer: happens(settings['incoming-rate']),
    hasReceipt: happens(settings['report-rate']),
  }
}

function findFault(settings: SimulateSettings, at: number): Fault | undefined {
  let sum = 0
  return faults.find(fault => {
    sum += settings[`${fault}-rate`]
    return at < sum
  })
}
