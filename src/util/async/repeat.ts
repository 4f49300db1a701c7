/** A task that is repeated. */
export interface RepeatedTask {
  start(): void
  /** Ends the repetition and waits for a run in hand. */
  stop(): Promise<void>
}

/** Repeats a task, `interval` milliseconds after each end; what it throws goes to `onError`. */
export function repeat(
  interval: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): RepeatedTask {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const run = (): void => {
    running = task().catch(onError).then(plan)
  }
  const plan = (): void => {
    if (timer !== undefined) timer = setTimeout(run, interval)
  }
  return {
    start: () => {
      timer = setTimeout(run, interval)
    },
    stop: async () => {
      clearTimeout(timer)
      timer = undefined
      await running
    },
  }
}
