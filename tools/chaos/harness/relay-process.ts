import { writeFileSync } from 'node:fs'
import { type CrashPoint, preloadVariables } from '../injection/crash-point.js'
import type { CuttingProxy } from './cutting-proxy.js'
import type { Processes, RunningProcess } from './processes.js'

/** The data directory, and the files that control the clock and the disk. */
export interface RelayFiles {
  readonly data: string
  /** @default the real clock and disk */
  readonly clock?: string
  readonly disk?: string
}

/** The relay of a scenario, with all its restarts; its clients use a proxy that stays. */
export class RelayProcess {
  readonly #processes: Processes
  readonly #files: RelayFiles
  readonly #proxy: CuttingProxy
  #running: RunningProcess | undefined

  constructor(processes: Processes, places: RelayFiles, proxy: CuttingProxy) {
    this.#processes = processes
    this.#files = places
    this.#proxy = proxy
  }

  /** The running process. Throws if the relay was never started. */
  get process(): RunningProcess {
    if (this.#running === undefined) throw new Error('The relay was never started.')
    return this.#running
  }

  /** Starts it; it dies at `point`. Resolves to whether it listened before. */
  async start(point?: CrashPoint): Promise<boolean> {
    const { data, clock, disk } = this.#files
    let listening = (_port: number): void => {}
    const port = new Promise<number>(resolve => {
      listening = resolve
    })
    const args = ['serve', '--port', '0', '--data', data, '--json']
    const settings = {
      ...(clock === undefined ? {} : { [preloadVariables.clock]: clock }),
      ...(disk === undefined ? {} : { [preloadVariables.disk]: disk }),
      ...toPointVariables(point),
    }
    const running = this.#processes.start(args, settings, line => {
      const { event, url } = JSON.parse(line) as { event?: string; url?: string }
      if (event === 'listening') listening(Number(new URL(url ?? '').port))
    })
    this.#running = running
    const first = await Promise.race([port, running.ended])
    if (typeof first === 'number') {
      this.#proxy.target = first
      return true
    }
    if (first.signal === 'SIGKILL' && point !== undefined) return false
    throw new Error(`The relay did not start: ${running.readErrors()}`)
  }

  /** Sets its clock this many milliseconds ahead of the real one. */
  moveClock(milliseconds: number): void {
    const { clock } = this.#files
    if (clock === undefined) throw new Error('This relay has the real clock.')
    writeFileSync(clock, String(milliseconds))
  }
}

export function toPointVariables(point: CrashPoint | undefined): Record<string, string> {
  return point === undefined ? {} : { [preloadVariables.point]: JSON.stringify(point) }
}
