/** Counts observed values by size, as plain numbers: it is used for every request. */
export class Histogram {
  /** Upper bounds of the histogram's buckets, ascending, inclusive. */
  readonly bounds: readonly number[]
  /** Values of each bucket; the last one has those above all bounds. */
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = [...bounds, Number.POSITIVE_INFINITY].map(() => 0)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let at = 0
    while (at < bounds.length && value > (bounds[at] as number)) at += 1
    counts[at] = (counts[at] as number) + 1
    this.sum += value
  }
}
