import { writeFileSync } from 'node:fs'
import { type Point, variables } from '../inside/point.js'
import type { Processes, Running } from './processes.js'
import type { CuttingProxy } from './proxy.js'

/** Where a service keeps what it has, and by which files its world is moved. */
export interface Places {
  readonly data: string
  /** @default it has the clock and the disk of this machine */
  readonly clock?: string
  readonly disk?: string
}

/** The service of a cell, over all its lives; those who talk to it do so through a proxy that stays. */
export class Service {
  readonly #processes: Processes
  readonly #places: Places
  readonly #proxy: CuttingProxy
  #running: Running | undefined

  constructor(processes: Processes, places: Places, proxy: CuttingProxy) {
    this.#processes = processes
    this.#places = places
    this.#proxy = proxy
  }

  /** The process, while it lives. Throws when there is none. */
  get process(): Running {
    if (this.#running === undefined) throw new Error('The service does not run.')
    return this.#running
  }

  /** Starts it, to be killed at `point`; resolves to whether it came to listen before that. */
  async start(point?: Point): Promise<boolean> {
    const { data, clock, disk } = this.#places
    let listening = (_port: number): void => {}
    const port = new Promise<number>(resolve => {
      listening = resolve
    })
    const args = ['serve', '--port', '0', '--data', data, '--json']
    const settings = {
      ...(clock === undefined ? {} : { [variables.clock]: clock }),
      ...(disk === undefined ? {} : { [variables.disk]: disk }),
      ...armed(point),
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
    throw new Error(`The service did not start: ${running.complaints()}`)
  }

  /** Moves its wall clock to so many milliseconds ahead of this machine's. */
  moveClock(milliseconds: number): void {
    const { clock } = this.#places
    if (clock === undefined) throw new Error('This service has the clock of the machine.')
    writeFileSync(clock, String(milliseconds))
  }
}

/** The variables that have a process killed at a point. */
export function armed(point: Point | undefined): Record<string, string> {
  return point === undefined ? {} : { [variables.point]: JSON.stringify(point) }
}
