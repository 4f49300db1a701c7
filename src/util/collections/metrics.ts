import { Histogram } from './histogram.js'

/** Seconds that most work takes; the bounds of histograms of time. */
const timeBounds = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5],
  ...[1, 2.5, 5, 10, 30, 60],
]

/**
 * Named numbers about a running program: counters, gauges and histograms. A name may end with
 * labels as in `errors_total{kind="mail"}`; docs/operate/monitoring.md lists all of them.
 */
export class Metrics {
  readonly #values = new Map<string, number>()
  readonly #histograms = new Map<string, Histogram>()
  readonly #sources: (() => Promise<void>)[] = []

  /** Adds to the counter with this name, which begins at 0. */
  increment(name: string, by = 1): void {
    this.#values.set(name, (this.#values.get(name) ?? 0) + by)
  }

  set(name: string, value: number): void {
    this.#values.set(name, value)
  }

  remove(name: string): void {
    this.#values.delete(name)
  }

  setMaximum(name: string, value: number): void {
    if (value > (this.#values.get(name) ?? Number.NEGATIVE_INFINITY)) this.set(name, value)
  }

  /** The histogram with this name, which begins empty. Its users hold on to it. */
  histogram(name: string, bounds: readonly number[] = timeBounds): Histogram {
    const histogram = this.#histograms.get(name) ?? new Histogram(bounds)
    this.#histograms.set(name, histogram)
    return histogram
  }

  /**
   * Has {@link collect} call a function that sets gauges which are only known on request. It is not
   * called again before it has ended.
   */
  addSource(source: () => void | Promise<void>): void {
    let running: Promise<void> | undefined
    this.#sources.push(async () => {
      running ??= (async () => await source())().finally(() => {
        running = undefined
      })
      await running
    })
  }

  /** Brings the gauges of all sources up to date; one that fails changes nothing. */
  async collect(): Promise<void> {
    await Promise.allSettled(this.#sources.map(async collect => await collect()))
  }

  values(): Record<string, number> {
    return Object.fromEntries(this.#values)
  }

  histograms(): ReadonlyMap<string, Histogram> {
    return this.#histograms
  }
}
