import { setTimeout as sleep } from 'node:timers/promises'
import type { Keys } from '../harness/integrator.js'
import type { ExitResult, Processes, RunningProcess } from '../harness/processes.js'

export interface NodeSettings {
  readonly name: string
  /** URL of the database. */
  readonly database: string
  /** More environment variables, such as those of the preload. @default none */
  readonly variables?: Readonly<Record<string, string>>
  /** More arguments of `serve`. @default none */
  readonly args?: readonly string[]
}

/** The owner's account, as printed by the node that created it. */
export interface Owner extends Keys {
  readonly email: string
  readonly password: string
}

/** One `smsrelay serve` of several, with all its restarts. */
export class ClusterNode {
  readonly settings: NodeSettings
  readonly #processes: Processes
  #running: RunningProcess | undefined
  #port = 0
  /** The owner's account, if this node has created it. */
  owner: Owner | undefined

  constructor(processes: Processes, settings: NodeSettings) {
    this.#processes = processes
    this.settings = settings
  }

  /** Its port, which stays the same when it is started again. */
  get port(): number {
    return this.#port
  }

  get process(): RunningProcess {
    if (this.#running === undefined) throw new Error('The node was never started.')
    return this.#running
  }

  /** Starts it and waits until it listens. */
  async start(): Promise<void> {
    const { name, database, variables = {}, args = [] } = this.settings
    let listening = (_port: number): void => {}
    const port = new Promise<number>(resolve => {
      listening = resolve
    })
    const all = ['serve', '--port', String(this.#port), '--json', ...args]
    const environment = { SMSRELAY_DATABASE_URL: database, ...variables }
    const running = this.#processes.start(all, environment, line => this.#read(line, listening))
    this.#running = running
    const first = await Promise.race([port, running.ended])
    if (typeof first !== 'number') {
      throw new Error(`${name} ended with ${first.code ?? first.signal}: ${running.readErrors()}`)
    }
    this.#port = first
  }

  /** Suspends it for some milliseconds. */
  async suspend(milliseconds: number): Promise<void> {
    process.kill(this.process.pid, 'SIGSTOP')
    await sleep(milliseconds)
    process.kill(this.process.pid, 'SIGCONT')
  }

  async end(signal: NodeJS.Signals): Promise<ExitResult | undefined> {
    return await this.#running?.end(signal)
  }

  #read(line: string, onListening: (port: number) => void): void {
    const value = JSON.parse(line) as { event?: string; url?: string } & Partial<Owner>
    if (value.event === 'listening') onListening(Number(new URL(value.url ?? '').port))
    else if (value.secret_key !== undefined) this.owner = value as Owner
  }
}
