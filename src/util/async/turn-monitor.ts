import type { RepeatedTask } from './repeat.js'

export interface Turn {
  /** By the clock: other programs on the machine and waiting for the disk make it longer. */
  readonly elapsed: number
  /**
   * The part of the turn that this process computed: no more than the processor time that it used.
   */
  readonly computed: number
}

/**
 * Reports the turns of the event loop by how late a timer is. A turn is everything that runs
 * before the timer may run: callbacks of all sockets that are ready, and garbage collection.
 * A turn that begins between two times of the timer is reported shorter by up to `interval`. The
 * start is reported as a turn of no length.
 *
 * @param interval milliseconds; with 10, the timer alone takes 1.5 % of a core
 */
export function monitorTurns(onTurn: (turn: Turn) => void, interval = 50): RepeatedTask {
  let timer: NodeJS.Timeout | undefined
  let last = 0
  let used = 0
  const measure = (): void => {
    const now = performance.now()
    const cpu = readProcessorTime()
    const elapsed = Math.max(0, now - last - interval)
    onTurn({ elapsed, computed: Math.min(elapsed, cpu - used) })
    last = now
    used = cpu
  }
  return {
    start: () => {
      last = performance.now()
      used = readProcessorTime()
      timer = setInterval(measure, interval)
      timer.unref()
      onTurn({ elapsed: 0, computed: 0 })
    },
    stop: async () => clearInterval(timer),
  }
}

function readProcessorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
