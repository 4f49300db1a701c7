import { getBackoff } from '../../../util/async/backoff.js'
import type { Clock } from '../../../util/async/clock.js'

interface CircuitBreakerOptions {
  readonly clock: Clock
  readonly random: () => number
  /** Called with whether texts go through one at a time, or not at all. */
  readonly onChange: (isProbing: boolean) => void
}

/** Successive submit_sm without a response that open the circuit breaker. */
const maxUnanswered = 5
/** Milliseconds. */
const pauses = { first: 5000, max: 60_000 }

/**
 * Stops submit_sm to a silent SMSC. It opens after five without a response. After a pause one may
 * be sent at a time: a response closes the circuit breaker, silence opens it again for longer.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  #state: 'closed' | 'open' | 'half-open' = 'closed'
  #unanswered = 0
  #openings = 0
  #until = 0
  #opened = new AbortController()

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  get isClosed(): boolean {
    return this.#state === 'closed'
  }

  get opened(): AbortSignal {
    return this.#opened.signal
  }

  /** Milliseconds until the next probe may be sent. */
  get wait(): number {
    return this.isOpen ? Math.max(0, this.#until - this.#options.clock.monotonic()) : 0
  }

  /** Lets submit_sm through one at a time, if the pause is over; returns whether it is. */
  tryProbe(): boolean {
    if (!this.isOpen) return true
    if (this.wait > 0) return false
    this.#state = 'half-open'
    this.#opened = new AbortController()
    return true
  }

  recordAnswer(): void {
    this.#unanswered = 0
    if (this.#state !== 'half-open') return
    this.#state = 'closed'
    this.#openings = 0
    this.#options.onChange(false)
  }

  recordSilence(opened: AbortSignal): void {
    if (opened !== this.opened) return
    this.#unanswered += 1
    if (this.isOpen || (this.isClosed && this.#unanswered < maxUnanswered)) return
    const { clock, random, onChange } = this.#options
    this.#state = 'open'
    this.#openings += 1
    this.#until = clock.monotonic() + getBackoff(this.#openings, random(), pauses)
    onChange(true)
    this.#opened.abort()
  }
}
