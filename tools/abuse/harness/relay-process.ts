import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../../../../bin/run.js', import.meta.url))
const probe = new URL('./probe.js', import.meta.url).href

/** What the relay's process says about itself. */
export interface Measurement {
  /** Milliseconds of the longest turn since the last measurement, by the clock. */
  readonly elapsed: number
  /** The same, of processor time. */
  readonly computed: number
  /** Bytes of resident memory. */
  readonly resident: number
}

/** An account as `account create` prints it. */
export interface Keys {
  readonly email: string
  readonly secret_key: string
  readonly api_key: string
  readonly app_key: string
}

/** The built program as a user starts it, with a new data directory. */
export class RelayProcess {
  readonly #directory: string
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  #port = 0
  #owner: Keys | undefined

  /** @param base where the data directory is created */
  constructor(base: string) {
    this.#directory = mkdtempSync(join(base, 'smsrelay-abuse-'))
    this.#env = { ...getCleanEnvironment(), HOME: this.#directory }
    process.once('exit', this.#remove)
  }

  get port(): number {
    return this.#port
  }

  get owner(): Keys {
    if (this.#owner === undefined) throw new Error('The relay has not started.')
    return this.#owner
  }

  async start(args: readonly string[]): Promise<void> {
    const command = ['--import', probe, program, 'serve', '--json', '--port', '0']
    const child = spawn(process.execPath, [...command, '--data', this.#data, ...args], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.#child = child
    if (child.stdout === null) throw new Error('The relay has no stdout.')
    for await (const line of createInterface({ input: child.stdout })) {
      const event = JSON.parse(line) as { event: string; url?: string } & Keys
      if (event.event === 'account') this.#owner = event
      else if (event.url !== undefined) this.#port = Number(new URL(event.url).port)
      if (this.#port !== 0 && this.#owner !== undefined) break
    }
    if (this.#port === 0) throw new Error('The relay did not start.')
    child.stdout.resume()
  }

  async createAccount(email: string): Promise<Keys> {
    const args = [program, 'account', 'create', email, '--data', this.#data, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: this.#env })
    return JSON.parse(stdout) as Keys
  }

  /** Measures the time since the last call. */
  async measure(): Promise<Measurement> {
    const child = this.#child
    if (child === undefined) throw new Error('The relay has not started.')
    const reply = once(child, 'message')
    child.send('measure')
    const [measurement] = (await reply) as [Measurement]
    return measurement
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    process.off('exit', this.#remove)
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    this.#remove()
  }

  get #data(): string {
    return join(this.#directory, 'data')
  }

  readonly #remove = (): void => {
    this.#child?.kill('SIGKILL')
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

function getCleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(SMSRELAY_|XDG_|NODE_OPTIONS$)/.test(name),
  )
  return Object.fromEntries(entries)
}
