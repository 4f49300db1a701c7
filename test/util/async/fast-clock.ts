import { type Clock, createClock } from '../../../src/util/async/clock.js'

/** The clock of this machine, on which sleeps take a `factor`-th of their time. */
export function createFastClock(factor: number): Clock {
  const clock = createClock()
  return { ...clock, sleep: (milliseconds, signal) => clock.sleep(milliseconds / factor, signal) }
}
