const binsPerMillisecond = 100
const bins = 3000 * binsPerMillisecond

/** Latencies in bins of ten microseconds, up to three seconds. */
export class Histogram {
  readonly #counts = new Uint32Array(bins + 1)
  #size = 0

  /** Number of latencies. */
  get size(): number {
    return this.#size
  }

  /** Adds a latency in milliseconds. */
  add(latency: number): void {
    const bin = Math.min(bins, Math.floor(latency * binsPerMillisecond))
    this.#counts[bin] = (this.#counts[bin] ?? 0) + 1
    this.#size += 1
  }

  /** Adds all latencies of another histogram. */
  merge(other: Histogram): void {
    for (let bin = 0; bin <= bins; bin += 1) {
      this.#counts[bin] = (this.#counts[bin] ?? 0) + (other.#counts[bin] ?? 0)
    }
    this.#size += other.#size
  }

  /** A quantile in milliseconds; NaN without latencies. */
  quantile(share: number): number {
    let left = Math.ceil(this.#size * share)
    if (left === 0) return Number.NaN
    for (let bin = 0; bin <= bins; bin += 1) {
      left -= this.#counts[bin] ?? 0
      if (left <= 0) return (bin + 1) / binsPerMillisecond
    }
    return bins / binsPerMillisecond
  }
}
