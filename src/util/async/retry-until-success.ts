import type { Clock } from './clock.js'

export interface RetryOptions {
  readonly clock: Pick<Clock, 'sleep'>
  /** Aborted when the retried work must not be tried again. */
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

const firstDelay = 250
const maxDelay = 30_000

/**
 * Runs `work` until it succeeds, with delays that double from 250 ms to 30 s. Resolves to undefined
 * if it has not succeeded when the signal is aborted.
 */
export async function retryUntilSuccess<T>(
  work: () => Promise<T>,
  { clock, signal, onError }: RetryOptions,
): Promise<T | undefined> {
  for (let delay = firstDelay; ; delay = Math.min(delay * 2, maxDelay)) {
    try {
      return await work()
    } catch (error) {
      onError(error)
    }
    if (signal.aborted) return undefined
    await clock.sleep(delay, signal)
  }
}
