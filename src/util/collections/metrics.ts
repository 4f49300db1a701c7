/** Named numbers about a running program: counters and gauges. */
export class Metrics {
  readonly #values = new Map<string, number>()

  /** Adds to the counter with this name, which begins at 0. */
  increment(name: string, by = 1): void {
    this.#values.set(name, (this.#values.get(name) ?? 0) + by)
  }

  /** Sets the gauge with this name. */
  set(name: string, value: number): void {
    this.#values.set(name, value)
  }

  /** Sets a gauge if the value is above the present one. */
  setMaximum(name: string, value: number): void {
    if (value > (this.#values.get(name) ?? Number.NEGATIVE_INFINITY)) this.set(name, value)
  }

  /** The present value of each counter and gauge by its name. */
  values(): Record<string, number> {
    return Object.fromEntries(this.#values)
  }
}
