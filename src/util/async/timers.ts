/** Starts timers, so that tests can bring their own. */
export interface Timers {
  /** Calls `run` once, after so many milliseconds; the returned function prevents that. */
  after(milliseconds: number, run: () => void): () => void
}

/** The {@link Timers} of the real clock. */
export const realTimers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export async function waitFor(
  timers: Timers,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>(resolve => {
    const settle = (): void => {
      cancel()
      signal.removeEventListener('abort', settle)
      resolve()
    }
    const cancel = timers.after(milliseconds, settle)
    signal.addEventListener('abort', settle)
  })
}
