import { writeFileSync } from 'node:fs'
import { type Point, variables } from '../inside/point.js'
import type { Processes, Running } from './processes.js'
import type { CuttingProxy } from './proxy.js'

/** Paths of a relay's data and of the files that control its faults. */
export interface Places {
  readonly data: string
  /** @default clock and disk of this machine */
  readonly clock?: string
  readonly disk?: string
}

/** The relay of a cell with its consecutive processes, behind a proxy. */
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

  /** The current process. Throws an error without one. */
  get process(): Running {
    if (this.#running === undefined) throw new Error('The relay is not running.')
    return this.#running
  }

  /** Starts the relay, which is killed at `point`; resolves to whether it listened before that. */
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
    throw new Error(`The relay did not start: ${running.complaints()}`)
  }

  /** Sets its wall clock ahead of this machine's, by milliseconds. */
  moveClock(milliseconds: number): void {
    const { clock } = this.#places
    if (clock === undefined) throw new Error('This relay uses the clock of the machine.')
    writeFileSync(clock, String(milliseconds))
  }
}

/** The environment variables that kill a process at a point. */
export function armed(point: Point | undefined): Record<string, string> {
  return point === undefined ? {} : { [variables.point]: JSON.stringify(point) }
}
