import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CrashPoint } from '../injection/crash-point.js'
import type { ExitResult, Processes, RunningProcess } from './processes.js'
import { toPointVariables } from './relay-process.js'

export interface PhoneSettings {
  readonly name: string
  readonly url: string
  readonly secretKey: string
  readonly appKey: string
  /** The program that sends. */
  readonly command: string
  /** The modem that receives texts. */
  readonly modem?: string | undefined
  /** The SMSC that texts are sent to, instead of by the program. */
  readonly smscPort?: number | undefined
  /** Whether the modem also sends, and not the program. @default false */
  readonly sendsByModem?: boolean
  readonly journal: string
  /** Messages in progress at a time. */
  readonly concurrency: number
  /** Additional environment variables. */
  readonly variables: Readonly<Record<string, string>>
}

/** A phone of a scenario, with all its restarts. */
export class PhoneProcess {
  readonly settings: PhoneSettings
  readonly #processes: Processes
  #running: RunningProcess | undefined
  #ready: Promise<void> = Promise.resolve()
  #lives = 0
  readonly #killed = new Set<string>()
  #journalErrors = 0
  #driverErrors = 0
  #driverRecoveries = 0

  constructor(processes: Processes, settings: PhoneSettings) {
    this.#processes = processes
    this.settings = settings
  }

  /** The running process. Throws if the phone was never started. */
  get process(): RunningProcess {
    if (this.#running === undefined) throw new Error('The phone was never started.')
    return this.#running
  }

  /** The starts that ended with SIGKILL. */
  get killed(): ReadonlySet<string> {
    return this.#killed
  }

  /** How often it reported that it cannot write its journal. */
  get journalErrors(): number {
    return this.#journalErrors
  }

  /** How often it reported a driver error. */
  get driverErrors(): number {
    return this.#driverErrors
  }

  /** How often it reported the end of driver errors. */
  get driverRecoveries(): number {
    return this.#driverRecoveries
  }

  /** Starts it; it dies at `point`. */
  start(point?: CrashPoint): void {
    const { journal, concurrency, url, secretKey, appKey, name } = this.settings
    this.#lives += 1
    const life = `${name}/${this.#lives}`
    const args = ['phone', ...formatDriverFlags(this.settings, life), '--journal', journal]
    let speak = (): void => {}
    this.#ready = new Promise(resolve => {
      speak = resolve
    })
    this.#running = this.#processes.start(
      [...args, '--concurrency', String(concurrency), '--json'],
      {
        ...this.settings.variables,
        ...toPointVariables(point),
        CHAOS_PHONE: name,
        CHAOS_LIFE: life,
        SMSRELAY_URL: url,
        SMSRELAY_SECRET_KEY: secretKey,
        SMSRELAY_APP_KEY: appKey,
        SMSRELAY_SMPP_PASSWORD: 'sesame',
      },
      line => {
        // It reports a journal error before it handles signals.
        const { event } = JSON.parse(line) as { event: string }
        if (event === 'trouble') this.#driverErrors += 1
        if (event === 'recovered') this.#driverRecoveries += 1
        if (event === 'journal') this.#journalErrors += 1
        else speak()
      },
    )
    void this.#running.ended.then(({ signal }) => {
      if (signal === 'SIGKILL') this.#killed.add(life)
    })
  }

  /**
   * Resolves at its first event, when the journal is open and signals are handled, or when it has
   * ended.
   */
  async waitUntilReady(): Promise<void> {
    await Promise.race([this.#ready, this.process.ended])
  }

  /** The token in its journal; undefined before the phone has one. */
  async readToken(): Promise<string | undefined> {
    const content = await readFile(join(this.settings.journal, 'token'), 'utf8').catch(() => '')
    return /"token":"([^"]+)"/.exec(content)?.[1]
  }

  /** Stops it with SIGTERM, when it handles signals. Throws unless it exits with code 0. */
  async stop(): Promise<void> {
    await this.waitUntilReady()
    assertCleanExit(
      await this.process.end('SIGTERM'),
      `The phone ${this.settings.name}`,
      this.process,
    )
  }
}

/** Without a modem, one driver. With one, the modem sends and receives, or only receives. */
function formatDriverFlags(settings: PhoneSettings, life: string): string[] {
  const { command, modem, sendsByModem, smscPort } = settings
  if (smscPort !== undefined) return formatSmppFlags(smscPort, life)
  if (modem === undefined) return ['--driver', 'exec', '--option', `command=${command}`]
  if (sendsByModem === true) {
    return ['--driver', 'modem', '--option', `device=${modem}`, '--option', 'timeout=2']
  }
  const options = [`out.command=${command}`, `in.device=${modem}`]
  const drivers = ['--driver', 'out=exec', '--driver', 'in=modem', '--route', '*=out']
  return [...drivers, ...options.flatMap(option => ['--option', option])]
}

/** Short time limits, so that silence is noticed at once. */
function formatSmppFlags(port: number, life: string): string[] {
  const options = ['host=127.0.0.1', `port=${port}`, 'system-id=chaos', 'timeout=1', 'enquire=2']
  options.push('reports=yes', `system-type=${life}`)
  return ['--driver', 'smpp', ...options.flatMap(option => ['--option', option])]
}

/** Throws unless the exit code is 0. */
export function assertCleanExit(
  { code, signal }: ExitResult,
  who: string,
  running: RunningProcess,
): void {
  if (code === 0) return
  throw new Error(`${who} ended with ${code ?? signal}: ${running.readErrors()}`)
}
