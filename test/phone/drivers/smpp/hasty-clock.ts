import { type Clock, createClock } from '../../../../src/util/async/clock.js'

/** A clock that does not wait for the delays of retries; `slept` has them in milliseconds. */
export function createHastyClock(): { readonly clock: Clock; readonly slept: readonly number[] } {
  const clock = createClock()
  const slept: number[] = []
  const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    if (milliseconds > 10_000) await clock.sleep(milliseconds, signal)
    else slept.push(milliseconds)
  }
  return { clock: { ...clock, sleep }, slept }
}
