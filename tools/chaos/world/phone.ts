import type { Point } from '../inside/point.js'
import type { End, Processes, Running } from './processes.js'
import { armed } from './service.js'

/** What a {@link Phone} is started with. */
export interface PhoneSettings {
  readonly name: string
  /** Address of the relay. */
  readonly url: string
  readonly secretKey: string
  readonly appKey: string
  /** The program that sends. */
  readonly command: string
  /** The modem that texts come in by, where there is one. */
  readonly modem?: string | undefined
  readonly journal: string
  /** Messages in hand at a time. */
  readonly concurrency: number
  /** Variables beside these. */
  readonly variables: Readonly<Record<string, string>>
}

/** A phone of a cell, over all its lives. */
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

  /** The process, while it lives. Throws when there is none. */
  get process(): Running {
    if (this.#running === undefined) throw new Error('The phone does not run.')
    return this.#running
  }

  /** The lives that SIGKILL has ended. */
  get killed(): ReadonlySet<string> {
    return this.#killed
  }

  /** How often it has told that its journal cannot be written, once an outage. */
  get refusals(): number {
    return this.#refusals
  }

  /** How often it has told of trouble with sending, once until it works. */
  get troubles(): number {
    return this.#troubles
  }

  /** Starts it, to be killed at `point`. */
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
        // What is told of the journal comes before it listens to signals.
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

  /** Resolves when it has told its first event: its journal is open, and it listens to signals; or when it has ended. */
  async begun(): Promise<void> {
    await Promise.race([this.#spoke, this.process.ended])
  }

  /** Ends it by SIGTERM, once it listens to that. Throws unless it ends well. */
  async stop(): Promise<void> {
    await this.begun()
    assertEndedWell(
      await this.process.end('SIGTERM'),
      `The phone ${this.settings.name}`,
      this.process,
    )
  }
}

/** Texts go out by a program; where there is a modem, they only come in by it. */
function driversOf({ command, modem }: PhoneSettings): string[] {
  if (modem === undefined) return ['--driver', 'exec', '--command', command]
  const options = [`out.command=${command}`, `in.device=${modem}`]
  const drivers = ['--driver', 'out=exec', '--driver', 'in=modem', '--route', '*=out']
  return [...drivers, ...options.flatMap(option => ['--option', option])]
}

/** Throws unless a process has ended with exit code 0. */
export function assertEndedWell({ code, signal }: End, who: string, running: Running): void {
  if (code === 0) return
  throw new Error(`${who} ended with ${code ?? signal}: ${running.complaints()}`)
}
