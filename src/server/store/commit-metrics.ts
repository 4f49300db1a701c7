import type { Histogram } from '../../util/collections/histogram.js'
import type { Metrics } from '../../util/collections/metrics.js'

const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500]

export class CommitMetrics {
  readonly #duration: Histogram
  readonly #size: Histogram

  constructor(metrics: Metrics) {
    this.#duration = metrics.histogram('store_commit_duration_seconds')
    this.#size = metrics.histogram('store_commit_group_size', sizes)
  }

  observe(milliseconds: number, changes: number): void {
    this.#duration.observe(milliseconds / 1000)
    this.#size.observe(changes)
  }
}
