// Time and concurrency.
// - clock: the time, waits and timers of a program, so that tests can replace them
// - abort: combines abort signals
// - backoff, failure-backoff: how long to wait after failures
// - retry-until-success, repeat: run a task again after a failure, or at intervals
// - promise-queue, semaphore: run tasks one at a time, or a few at once
// - turn-pacer, turn-monitor: spread work over turns of the event loop, and measure them
// - in-flight: waits until no task is in progress
// - condition: waits until something is true

import { setTimeout as delay } from 'node:timers/promises'

/** A program's clock, created once at its start and passed on, so that tests can replace it. */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch; can jump in both directions. */
  readonly now: () => number
  /** Milliseconds since some fixed moment; never goes back. */
  readonly monotonic: () => number
  /** Waits for so many milliseconds, or until the signal is aborted; never rejects. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Calls `run` once after so many milliseconds; the returned function cancels that. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

/** A timer of Node with more milliseconds fires at once, so the clock takes several in turn. */
const maxTimer = 2 ** 31 - 1

export function createClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: async (milliseconds, signal) => {
      const options = signal === undefined ? {} : { signal }
      try {
        let rest = milliseconds
        for (; rest > maxTimer; rest -= maxTimer) await delay(maxTimer, undefined, options)
        await delay(rest, undefined, options)
      } catch {
        // The clock's `sleep` was aborted.
      }
    },
    after: (milliseconds, run) => {
      let timer: NodeJS.Timeout
      const wait = (rest: number): void => {
        if (rest <= maxTimer) timer = setTimeout(run, rest)
        else timer = setTimeout(() => wait(rest - maxTimer), maxTimer)
      }
      wait(milliseconds)
      return () => clearTimeout(timer)
    },
  }
}
