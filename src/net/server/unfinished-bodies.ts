import type { Metrics } from '../../util/collections/metrics.js'
import type { ConnectionLimits } from './connection-limits.js'

/** An HTTP request's body that has not arrived in full. */
export interface UnfinishedBody {
  /** The client's address, and the account once it is known. */
  readonly holders: readonly string[]
  /** Gives the body up: `set` is called with 0 bytes. */
  refuse(): void
}

/** The bytes of some unfinished bodies, in the order in which they began. */
class Share {
  readonly #max: number
  readonly #bodies = new Map<UnfinishedBody, number>()
  #bytes = 0

  constructor(max: number) {
    this.#max = max
  }

  get isEmpty(): boolean {
    return this.#bodies.size === 0
  }

  set(body: UnfinishedBody, bytes: number): void {
    this.#bytes += bytes - (this.#bodies.get(body) ?? 0)
    if (bytes === 0) this.#bodies.delete(body)
    else this.#bodies.set(body, bytes)
  }

  /** The bodies that must go, so that the others are within the limit. */
  *listExcess(): Generator<UnfinishedBody> {
    for (const body of this.#bodies.keys()) {
      if (this.#bytes <= this.#max) return
      yield body
    }
  }
}

/**
 * Keeps request bodies that do not end from filling the memory of an HTTP server: all together have
 * a budget of bytes, and each address and each account has a share of it. Beyond one of them, the
 * body in it that began first is refused.
 */
export class UnfinishedBodies {
  readonly #maxPerHolder: number
  readonly #metrics: Metrics
  readonly #all: Share
  readonly #shares = new Map<string, Share>()

  constructor(
    limits: Pick<ConnectionLimits, 'unfinished' | 'unfinishedPerHolder'>,
    metrics: Metrics,
  ) {
    this.#maxPerHolder = limits.unfinishedPerHolder
    this.#metrics = metrics
    this.#all = new Share(limits.unfinished)
  }

  /** Sets how many bytes of memory an unfinished body holds. */
  set(body: UnfinishedBody, bytes: number): void {
    const shares = [this.#all, ...body.holders.map(holder => this.#setShare(holder, body, bytes))]
    this.#all.set(body, bytes)
    for (const share of shares) {
      for (const excess of share.listExcess()) {
        this.#metrics.increment('http_rejected_total{reason="bodies"}')
        excess.refuse()
      }
    }
  }

  #setShare(holder: string, body: UnfinishedBody, bytes: number): Share {
    const share = this.#shares.get(holder) ?? new Share(this.#maxPerHolder)
    share.set(body, bytes)
    if (share.isEmpty) this.#shares.delete(holder)
    else this.#shares.set(holder, share)
    return share
  }
}
