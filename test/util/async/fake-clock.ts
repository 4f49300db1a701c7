import type { Timers } from '../../../src/util/async/timers.js'

interface Timer {
  readonly at: number
  readonly run: () => void
}

/** A clock that stands still until it is told to move. */
export class FakeClock implements Timers {
  #now: number
  #timers: Timer[] = []
  readonly now = (): number => this.#now

  constructor(now = 1_700_000_000_000) {
    this.#now = now
  }

  /** Number of timers that have neither run nor been cancelled. */
  get pending(): number {
    return this.#timers.length
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(milliseconds, 0), run }
    this.#timers.push(timer)
    return () => this.#remove(timer)
  }

  /** Moves by so many milliseconds, running what falls due on the way. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (let timer = this.#first(); timer !== undefined && timer.at <= end; timer = this.#first()) {
      this.#fire(timer)
    }
    this.#now = end
  }

  /** Moves to the next timer and runs it. */
  next(): void {
    const timer = this.#first()
    if (timer === undefined) throw new Error('No timer is pending.')
    this.#fire(timer)
  }

  #first(): Timer | undefined {
    return this.#timers.toSorted((a, b) => a.at - b.at)[0]
  }

  #fire(timer: Timer): void {
    this.#remove(timer)
    this.#now = Math.max(this.#now, timer.at)
    timer.run()
  }

  #remove(timer: Timer): void {
    this.#timers = this.#timers.filter(other => other !== timer)
  }
}
