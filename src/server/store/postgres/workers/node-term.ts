import type { Clock } from '../../../../util/async/clock.js'
import { InFlight } from '../../../../util/async/in-flight.js'
import type { WorkerLease } from '../../worker-leases.js'
import { leaseLength } from './lease-statements.js'

/** Milliseconds of a lease that must be left for a webhook to start: the longest one. */
const longestWebhook = 20_000
/** Milliseconds before the end of the lease at which webhooks in progress are aborted. */
const margin = 2000

/**
 * The time for which this node has its buckets: it ends unless it is extended, by this node's
 * monotonic clock, before the database gives the buckets to another node.
 */
export class NodeTerm {
  readonly #clock: Clock
  readonly #end = new AbortController()
  #until: number
  #cancel = (): void => {}

  constructor(clock: Clock, from: number) {
    this.#clock = clock
    this.#until = from + leaseLength
    this.extend(from)
  }

  get ending(): AbortSignal {
    return this.#end.signal
  }

  readonly canStart = (): boolean =>
    !this.#end.signal.aborted && this.#until - this.#clock.monotonic() >= longestWebhook

  extend(from: number): void {
    this.#cancel()
    this.#until = from + leaseLength
    const wait = this.#until - margin - this.#clock.monotonic()
    this.#cancel = this.#clock.after(Math.max(wait, 0), () => this.#end.abort())
  }

  end(): void {
    this.#cancel()
    this.#end.abort()
  }
}

export class BucketLease implements WorkerLease {
  readonly epoch: number
  readonly ending: AbortSignal
  readonly canStart: () => boolean
  readonly #inFlight: InFlight

  constructor(epoch: number, { ending, canStart }: NodeTerm, inFlight = new InFlight()) {
    this.epoch = epoch
    this.ending = ending
    this.canStart = canStart
    this.#inFlight = inFlight
  }

  async track<T>(work: Promise<T>): Promise<T> {
    return await this.#inFlight.track(work)
  }

  async idle(): Promise<void> {
    await this.#inFlight.idle()
  }

  renew(term: NodeTerm): BucketLease {
    return new BucketLease(this.epoch, term, this.#inFlight)
  }
}
