import type { Point } from '../inside/point.js'
import type { End, Processes, Running } from './processes.js'
import { armed } from './service.js'

/** Settings of a {@link Phone}. */
export interface PhoneSettings {
  readonly name: string
  /** URL of the relay. */
  readonly url: string
  readonly secretKey: string
  readonly appKey: string
  /** The sending program. */
  readonly command: string
  /** The modem that receives texts, if there is one. */
  readonly modem?: string | undefined
  readonly journal: string
  /** Number of workers. */
  readonly concurrency: number
  /** More environment variables. */
  readonly variables: Readonly<Record<string, string>>
}

/** A phone of a cell with its consecutive processes. */
export class Phone {
  readonly settings: PhoneSettings
  readonly #processes: Processes
  #running: Running | undefined
  #spoke: Promise<void> = Promise.resolve()
  #lives = 0
  readonly #killed = new Set<string>()
  #refusals = 0
  #troubles = 0

  constructor(processes: Processes, settings: PhoneSettings) {
    this.#processes = processes
    this.settings = settings
  }

  /** The current process. Throws an error without one. */
  get process(): Running {
    if (this.#running === undefined) throw new Error('The phone is not running.')
    return this.#running
  }

  /** Numbers of the killed processes. */
  get killed(): ReadonlySet<string> {
    return this.#killed
  }

  /** Number of warnings that its journal cannot be written. */
  get refusals(): number {
    return this.#refusals
  }

  /** Number of reported driver failures. */
  get troubles(): number {
    return this.#troubles
  }

  /** Starts the phone; it is killed at `point`. */
  start(point?: Point): void {
    const { journal, concurrency, url, secretKey, appKey, name } = this.settings
    const args = ['phone', ...driversOf(this.settings), '--journal', journal]
    this.#lives += 1
    const life = `${name}/${this.#lives}`
    let speak = (): void => {}
    this.#spoke = new Promise(resolve => {
      speak = resolve
    })
    this.#running = this.#processes.start(
      [...args, '--concurrency', String(concurrency), '--json'],
      {
        ...this.settings.variables,
        ...armed(point),
        CHAOS_PHONE: name,
        CHAOS_LIFE: life,
        SMSRELAY_URL: url,
        SMSRELAY_SECRET_KEY: secretKey,
        SMSRELAY_APP_KEY: appKey,
      },
      line => {
        // Warnings about the journal come before it handles signals.
        const { event } = JSON.parse(line) as { event: string }
        if (event === 'trouble') this.#troubles += 1
        if (event === 'journal') this.#refusals += 1
        else speak()
      },
    )
    void this.#running.ended.then(({ signal }) => {
      if (signal === 'SIGKILL') this.#killed.add(life)
    })
  }

  /** Resolves after its first event, when it handles signals, or after its end. */
  async begun(): Promise<void> {
    await Promise.race([this.#spoke, this.process.ended])
  }

  /** Ends the phone with SIGTERM. Throws an error unless the exit code is 0. */
  async stop(): Promise<void> {
    await this.begun()
    assertEndedWell(
      await this.process.end('SIGTERM'),
      `The phone ${this.settings.name}`,
      this.process,
    )
  }
}

/** Texts are sent by a program and received by the modem, if there is one. */
function driversOf({ command, modem }: PhoneSettings): string[] {
  if (modem === undefined) return ['--driver', 'exec', '--command', command]
  const options = [`out.command=${command}`, `in.device=${modem}`]
  const drivers = ['--driver', 'out=exec', '--driver', 'in=modem', '--route', '*=out']
  return [...drivers, ...options.flatMap(option => ['--option', option])]
}

/** Throws an error unless a process has ended with exit code 0. */
export function assertEndedWell({ code, signal }: End, who: string, running: Running): void {
  if (code === 0) return
  throw new Error(`${who} ended with ${code ?? signal}: ${running.complaints()}`)
}
