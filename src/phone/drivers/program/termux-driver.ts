import type { Clock } from '../../../util/async/clock.js'
import {
  type Driver,
  DriverError,
  type DriverErrorKind,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
  type DriverWatch,
} from '../../driver-port/driver.js'
import { type DriverOptions, parseNumberOption } from '../../driver-port/driver-options.js'
import {
  addAdvice,
  describeResult,
  type Env,
  type ExternalProgram,
  getLastOutput,
  parseTimeoutOption,
  removeOwnVariables,
  requirePlainNumber,
  runExternalProgram,
} from './external-program.js'
import { createPollingWatches, type InboxPolling, parsePollOption } from './inbox-polling.js'
import type { ProgramResult } from './run-program.js'
import { readTermuxInbox } from './termux-inbox.js'

/** Names of the options of {@link createTermuxDriver}. */
export const termuxOptions = ['slot', 'timeout', 'poll'] as const

const install = 'Install it in Termux: pkg install termux-api.'
const advice =
  'Install the app Termux:API from where Termux came from, open it once, and allow it SMS and ' +
  'Phone in the settings of Android.'
const probeTimeout = 15_000

/** What the termux driver uses of the world. */
export interface TermuxContext {
  readonly env: Env
  readonly clock: Clock
}

/**
 * A driver for the Android phone it runs on, by `termux-sms-send`: the SIM in `slot` (0 is the first; @default the
 * phone's own choice), at most `timeout` seconds for a text (@default 60). The program says nothing when all is well
 * and waits for ever when the app Termux:API is missing; so the app is asked something harmless before the first text
 * and after each failure. Sent means taken by Android. Texts that come in are looked for every `poll` seconds (@default never).
 * Throws `usage`.
 */
export function createTermuxDriver(options: DriverOptions, context: TermuxContext): Driver {
  const slot = parseNumberOption(options, 'slot', { min: 0, max: 9, whole: true })
  const { env, clock } = context
  const every = parsePollOption(options)
  return new TermuxDriver(removeOwnVariables(env), parseTimeoutOption(options), slot, {
    every,
    clock,
  })
}

class TermuxDriver implements Driver {
  readonly name = 'termux'
  readonly #env: Env
  readonly #timeout: number
  readonly #slot: readonly string[]
  readonly watches: readonly DriverWatch[]
  #listener: DriverListener | undefined
  #answers = false

  constructor(
    env: Env,
    timeout: number,
    slot: number | undefined,
    polling: Pick<InboxPolling, 'every' | 'clock'>,
  ) {
    this.#env = env
    this.#timeout = timeout
    this.#slot = slot === undefined ? [] : ['-s', String(slot)]
    const look = async (signal: AbortSignal) => await this.#look(signal)
    this.watches = createPollingWatches({ name: 'the inbox of Android', ...polling, look })
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send(
    { destination, text, assertCurrent: still }: DriverMessage,
    signal: AbortSignal,
  ): Promise<object> {
    const args = ['-n', requirePlainNumber(destination), ...this.#slot]
    // The app takes spaces and control characters off both ends (String.trim of Java).
    if (/^[\0- ]*$/.test(text)) throw new DriverError('fail', 'Android sends no empty text.')
    if (!this.#answers) await this.#probe(signal)
    await still?.()
    this.#answers = false
    const program = this.#program('termux-sms-send')
    const call = { args, timeout: this.#timeout, signal, input: text }
    checkSent(await runExternalProgram(program, call))
    this.#answers = true
    return {}
  }

  async health(): Promise<DriverHealth> {
    try {
      const { sim_state, network_operator_name } = await this.#probe(new AbortController().signal)
      const detail = `SIM ${sim_state ?? 'unknown'}, network ${network_operator_name ?? 'unknown'}.`
      return { ok: sim_state === 'ready', detail }
    } catch (error) {
      return { ok: false, detail: (error as Error).message }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #look(signal: AbortSignal): Promise<void> {
    const listener = this.#listener
    if (listener === undefined) return
    await readTermuxInbox({ env: this.#env, install, listener }, signal)
  }

  #program(name: string): ExternalProgram {
    return { name, install, env: this.#env }
  }

  /** Asks the app about the phone, which sends nothing. Throws `trouble`. */
  async #probe(signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const name = 'termux-telephony-deviceinfo'
    const timeout = Math.min(this.#timeout, probeTimeout)
    const ended = await runExternalProgram(this.#program(name), { args: [], timeout, signal })
    if (ended.by === 'stop' && signal.aborted) {
      throw new DriverError('trouble', 'Stopped before the text was sent.')
    }
    if (ended.by === 'stop')
      throw new DriverError('trouble', addAdvice(describeResult(name, ended), advice))
    const answer = parseJsonObject(ended.stdout)
    throwIfRefused(answer)
    if (ended.by === 'exit' && ended.status === 0 && answer !== undefined) return answer
    throw new DriverError('trouble', addAdvice(describeResult(name, ended), advice))
  }
}

/** Nothing said and exit 0 is all one hears of a text that was taken. */
function checkSent(ended: ProgramResult): void {
  throwIfRefused(parseJsonObject(ended.stdout))
  const said = getLastOutput(`${ended.stdout}\n${ended.stderr}`)
  if (ended.by === 'exit' && ended.status === 0 && said === '') return
  const words = describeResult('termux-sms-send', ended)
  throw new DriverError(
    getErrorKind(ended),
    addAdvice(words, ended.by === 'stop' ? advice : undefined),
  )
}

/** What the script itself refuses it says under its own name, before anything is sent. */
function getErrorKind({ by, stdout }: ProgramResult): DriverErrorKind {
  return by === 'exit' && stdout.startsWith('termux-sms-send:') ? 'trouble' : 'unknown'
}

/** The app answers with an error in place of doing its work where a permission is missing. */
function throwIfRefused(answer: Readonly<Record<string, unknown>> | undefined): void {
  const error = answer?.error ?? answer?.API_ERROR
  if (error === undefined) return
  throw new DriverError('trouble', addAdvice(`Termux:API: ${getLastOutput(String(error))}`, advice))
}

function parseJsonObject(stdout: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(stdout)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
