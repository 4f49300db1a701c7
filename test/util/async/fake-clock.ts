import type { Clock } from '../../../src/util/async/clock.js'

interface Timer {
  readonly at: number
  readonly run: () => void
}

export interface FakeClockOptions {
  /** Wall-clock time at the start, in milliseconds since the epoch. */
  readonly start?: number
  /** Whether the next timer fires as soon as the event loop has nothing else to do. */
  readonly auto?: boolean
}

/** A clock that moves only when a test moves it, or by itself from timer to timer with `auto`. */
export class FakeClock implements Clock {
  /** Milliseconds of the sleeps that ended without being aborted. */
  readonly slept: number[] = []
  readonly #start: number
  readonly #auto: boolean
  #elapsed = 0
  #timers: Timer[] = []
  #immediate: NodeJS.Immediate | undefined

  constructor({ start = 1_700_000_000_000, auto = false }: FakeClockOptions = {}) {
    this.#start = start
    this.#auto = auto
  }

  /** The number of timers that have neither fired nor been cancelled. */
  get pending(): number {
    return this.#timers.length
  }

  readonly now = (): number => this.#start + this.#elapsed

  readonly monotonic = (): number => this.#elapsed

  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { at: this.#elapsed + Math.max(milliseconds, 0), run }
    this.#timers.push(timer)
    this.#plan()
    return () => {
      this.#remove(timer)
      this.#plan()
    }
  }

  readonly sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted === true) return
    await new Promise<void>(resolve => {
      const cancel = this.after(milliseconds, () => {
        this.slept.push(milliseconds)
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      const abort = (): void => {
        cancel()
        resolve()
      }
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Moves by so many milliseconds and fires the timers that are due on the way. */
  advance(milliseconds: number): void {
    const end = this.#elapsed + milliseconds
    for (let timer = this.#first(); timer !== undefined && timer.at <= end; timer = this.#first()) {
      this.#fire(timer)
    }
    this.#elapsed = end
  }

  /** Moves in steps of a second and lets the event loop turn after each. */
  async pass(milliseconds: number): Promise<void> {
    for (let rest = milliseconds; rest > 0; rest -= 1000) {
      this.advance(Math.min(rest, 1000))
      await new Promise(resolve => setImmediate(resolve))
    }
  }

  /** Moves to the next timer and fires it. */
  next(): void {
    const timer = this.#first()
    if (timer === undefined) throw new Error('No timer is pending.')
    this.#fire(timer)
  }

  #plan(): void {
    if (!this.#auto) return
    if (this.#timers.length > 0) {
      this.#immediate ??= setImmediate(() => {
        this.#immediate = undefined
        if (this.#timers.length > 0) this.next()
        this.#plan()
      })
    } else if (this.#immediate !== undefined) {
      clearImmediate(this.#immediate)
      this.#immediate = undefined
    }
  }

  #first(): Timer | undefined {
    return this.#timers.toSorted((a, b) => a.at - b.at)[0]
  }

  #fire(timer: Timer): void {
    this.#remove(timer)
    this.#elapsed = Math.max(this.#elapsed, timer.at)
    timer.run()
  }

  #remove(timer: Timer): void {
    this.#timers = this.#timers.filter(other => other !== timer)
  }
}
