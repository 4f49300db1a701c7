import { readFileSync } from 'node:fs'

const pollInterval = 20

/**
 * Moves the clock of this process by the milliseconds in a file, whenever they change. Timers do
 * not change.
 */
export function followClock(path: string): void {
  const real = Date
  let ahead = 0
  const look = (): void => {
    ahead = Number(readFileSync(path, 'utf8')) || 0
  }
  class MovedDate extends real {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(real.now() + ahead)
      else super(...(given as [number]))
    }
    static override now(): number {
      return real.now() + ahead
    }
  }
  look()
  setInterval(look, pollInterval).unref()
  globalThis.Date = MovedDate as DateConstructor
}
