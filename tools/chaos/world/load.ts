import { setTimeout as sleep } from 'node:timers/promises'
import type { Accepted } from '../oracle/history.js'
import type { Random } from '../random.js'
import { failsFirst } from './driver.js'
import type { Integrator } from './integrator.js'

/** How messages are created. */
export interface LoadOptions {
  readonly creators: number
  /** One in so many messages fails at its first attempt; 0: no message. */
  readonly failEvery: number
  /** Whether each creation needs a new token. */
  readonly signInOften: boolean
  /** Maximum number of characters of a text. */
  readonly longest: number
}

/** Counts the attempts of the drivers. */
export type CountAttempts = () => number

/** Maximum number of accepted messages that are neither sent nor in the allowance. */
const ahead = 30
const pause = 30

/** Creates messages at the rate of the phones until it is stopped. */
export class Load {
  readonly accepted: Accepted[] = []
  /** Messages that are not sent soon, for which creation does not wait. */
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

  /** Waits until `count` messages were accepted. */
  async until(messages: number): Promise<void> {
    while (this.accepted.length < messages) await this.#orFailure(sleep(20))
  }

  /** Stops; resolves when all requests in progress are accepted. */
  async finish(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Aborts the requests in progress. */
  async abandon(): Promise<void> {
    this.#stop.abort()
    this.#abandon.abort()
    await this.#running?.catch(() => {})
  }

  async #orFailure(work: Promise<void>): Promise<void> {
    const failed = this.#running?.then(() => new Promise<never>(() => {}))
    await Promise.race([work, failed ?? work])
  }

  async #create(): Promise<void> {
    const { signInOften } = this.#options
    while (!this.#stop.signal.aborted) {
      await sleep(pause * (0.5 + this.#random.fraction()))
      if (this.accepted.length + this.#options.creators > this.#limit()) continue
      if (signInOften) this.#integrator.forgetToken()
      this.#made += 1
      // Numbers reserved for fiction; 555-1212 and 555-1213 would not reach a driver.
      const number = `+12025550${this.#random.below(100) + 100}`
      const text = this.#text(this.#made)
      this.accepted.push(await this.#integrator.create(text, number, this.#abandon.signal))
    }
  }

  #limit(): number {
    return this.#attempts() + this.allowance + ahead + this.#options.creators
  }

  #text(number: number): string {
    const { failEvery, longest } = this.#options
    const fails = failEvery > 0 && number % failEvery === 0 ? ` ${failsFirst}` : ''
    const text = `text ${number}${fails}`
    return text.padEnd(Math.min(this.#random.below(longest), 1600), ' .')
  }
}
