import type { Clock } from './clock.js'

/**
 * Runs work with a signal that is aborted with any of the given ones. Unlike `AbortSignal.any` on
 * some versions of Node 20, it leaves nothing behind on signals that live for weeks.
 */
export async function runWithSignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const abort = () => own.abort()
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true })
  if (signals.some(signal => signal.aborted)) abort()
  try {
    return await work(own.signal)
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
}

export async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
}

/**
 * Waits for work that knows no signal. At an abort before its end, `end` is called, which ends the
 * program or makes the work end.
 */
export async function waitUnlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  end: () => Promise<void>,
): Promise<T> {
  let isDone = false
  const endWhenAborted = async (): Promise<T> => {
    await waitForAbort(signal)
    if (!isDone) await end()
    return await work
  }
  try {
    return await Promise.race([work, endWhenAborted()])
  } finally {
    isDone = true
  }
}

/** Runs work with a signal that is aborted so many milliseconds after another one. */
export async function runWithGrace<T>(
  signal: AbortSignal,
  milliseconds: number,
  sleep: Clock['sleep'],
  work: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const done = new AbortController()
  const count = async () => {
    await sleep(milliseconds, done.signal)
    if (!done.signal.aborted) late.abort()
  }
  try {
    if (signal.aborted) void count()
    else signal.addEventListener('abort', count, { once: true, signal: done.signal })
    return await work(late.signal)
  } finally {
    done.abort()
  }
}
