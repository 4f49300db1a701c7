import type { Histogram } from '../../util/collections/histogram.js'
import type { Metrics } from '../../util/collections/metrics.js'

const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500]

/** Measures how long a store takes to make changes durable, and how many share a commit. */
export class CommitMetrics {
  readonly #duration: Histogram
  readonly #size: Histogram

  constructor(metrics: Metrics) {
    this.#duration = metrics.histogram('store_commit_duration_seconds')
    this.#size = metrics.histogram('store_commit_group_size', sizes)
  }

  /** Counts one commit of the store. */
  observe(milliseconds: number, changes: number): void {
    this.#duration.observe(milliseconds / 1000)
    this.#size.observe(changes)
  }
}
