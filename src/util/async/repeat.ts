import type { Clock } from './clock.js'

export interface RepeatedTask {
  start(): void
  stop(): Promise<void>
}

export interface RepeatOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly onError: (error: unknown) => void
}

/** Repeats a task, each time `interval` milliseconds after the end of the last run. */
export function repeat(
  interval: number,
  task: () => Promise<void>,
  { clock, onError }: RepeatOptions,
): RepeatedTask {
  let cancel: (() => void) | undefined
  let running: Promise<void> | undefined
  const run = (): void => {
    running = task().catch(onError).then(schedule)
  }
  const schedule = (): void => {
    if (cancel !== undefined) cancel = clock.after(interval, run)
  }
  return {
    start: () => {
      cancel = clock.after(interval, run)
    },
    stop: async () => {
      cancel?.()
      cancel = undefined
      await running
    },
  }
}
