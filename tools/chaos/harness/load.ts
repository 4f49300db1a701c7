import { setTimeout as sleep } from 'node:timers/promises'
import type { AcceptedMessage } from '../oracle/history.js'
import type { Random } from '../random.js'
import { failsFirstMark } from './driver.js'
import type { Draft, Integrator } from './integrator.js'

export interface LoadOptions {
  readonly creators: number
  /** Messages in one request; 1 for requests of a single message. */
  readonly batch: number
  /** One of this many messages fails at its first attempt; 0 for none. */
  readonly failEvery: number
  /** Whether each creation gets a new token. */
  readonly signInOften: boolean
  /** Maximum number of characters of a text. */
  readonly longest: number
}

export type CountAttempts = () => number

/** Maximum number of accepted messages that are not sent yet. */
const maxAhead = 30
const pause = 30

/** Creates messages until it is stopped, no faster than the phones send. */
export class Load {
  readonly accepted: AcceptedMessage[] = []
  /** Messages that nothing will send soon; the load does not wait for them. */
  allowance = 0
  readonly #integrator: Integrator
  readonly #attempts: CountAttempts
  readonly #options: LoadOptions
  readonly #random: Random
  readonly #stop = new AbortController()
  readonly #abandon = new AbortController()
  #made = 0
  #running: Promise<void> | undefined

  constructor(
    integrator: Integrator,
    attempts: CountAttempts,
    options: LoadOptions,
    random: Random,
  ) {
    this.#integrator = integrator
    this.#attempts = attempts
    this.#options = options
    this.#random = random
  }

  start(): void {
    const creators = Array.from({ length: this.#options.creators }, () => this.#create())
    this.#running = Promise.all(creators).then(() => {})
    this.#running.catch(() => {})
  }

  /** Waits until this many messages are accepted. */
  async waitForAccepted(messages: number): Promise<void> {
    while (this.accepted.length < messages) await this.#unlessFailed(sleep(20))
  }

  /** Creates no more; resolves when every started creation is accepted. */
  async finish(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Aborts creations in progress. */
  async abandon(): Promise<void> {
    this.#stop.abort()
    this.#abandon.abort()
    await this.#running?.catch(() => {})
  }

  async #unlessFailed(work: Promise<void>): Promise<void> {
    const failed = this.#running?.then(() => new Promise<never>(() => {}))
    await Promise.race([work, failed ?? work])
  }

  async #create(): Promise<void> {
    const { signInOften } = this.#options
    while (!this.#stop.signal.aborted) {
      await sleep(pause * (0.5 + this.#random.fraction()))
      if (this.accepted.length + this.#options.creators > this.#limit()) continue
      if (signInOften) this.#integrator.forgetToken()
      const drafts = Array.from({ length: this.#options.batch }, () => this.#createDraft())
      this.accepted.push(...(await this.#send(drafts)))
    }
  }

  async #send(drafts: readonly Draft[]): Promise<AcceptedMessage[]> {
    const { signal } = this.#abandon
    const [first] = drafts
    if (first === undefined || drafts.length > 1) {
      return await this.#integrator.createBatch(drafts, signal)
    }
    return [await this.#integrator.create(first.text, first.destination, signal)]
  }

  #createDraft(): Draft {
    this.#made += 1
    // Numbers for fiction; the test numbers 555-1212 and 555-1213 never reach a driver.
    const destination = `+12025550${this.#random.below(100) + 100}`
    return { text: this.#text(this.#made), destination }
  }

  #limit(): number {
    return this.#attempts() + this.allowance + maxAhead + this.#options.creators
  }

  #text(number: number): string {
    const { failEvery, longest } = this.#options
    const fails = failEvery > 0 && number % failEvery === 0 ? ` ${failsFirstMark}` : ''
    const text = `text ${number}${fails}`
    return text.padEnd(Math.min(this.#random.below(longest), 1600), ' .')
  }
}
