import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for so many milliseconds, or until the signal is aborted; never rejects. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** The {@link Pause} of the real clock. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal })
  } catch {
    // Aborted: the wait is over.
  }
}
