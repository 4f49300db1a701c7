import { errorText } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import {
  type Driver,
  DriverError,
  type DriverErrorKind,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
  type DriverNetwork,
  type DriverReceipt,
  type DriverWatch,
  type IncomingText,
} from '../../driver-port/driver.js'
import {
  type DriverContext,
  type DriverOptions,
  readOptions,
  seconds,
  whole,
} from '../../driver-port/driver-options.js'
import {
  addAdvice,
  createNeverSignal,
  describeResult,
  type ExternalProgram,
  getLastOutput,
  hasSucceeded,
  removeOwnVariables,
  requirePlainNumber,
  runExternalProgram,
} from './external-program.js'
import {
  createPollingWatches,
  maxListLength,
  parseJsonOutput,
  poll,
  readText,
} from './inbox-polling.js'
import type { ProgramResult } from './run-program.js'

export const termuxOptions = { slot: whole(0, 9), timeout: seconds(60, 1, 3600), poll }

const install = 'Install it in Termux: pkg install termux-api.'
const advice =
  'Install the app Termux:API from the source of Termux, open it once, and allow it SMS and ' +
  'Phone in the settings of Android.'
/** Milliseconds. */
const probeTimeout = 15_000
const listTimeout = 20_000
const maxTexts = '100'

interface TermuxSettings {
  readonly program: Omit<ExternalProgram, 'name'>
  /** Milliseconds. */
  readonly timeout: number
  /** SIM of the Android phone; 0 is the first. @default the phone's choice */
  readonly slot: number | undefined
  /** Milliseconds between two polls of the inbox; undefined for none. */
  readonly poll: number | undefined
}

/**
 * Creates the driver `termux` for the Android phone that it runs on (docs/reference/drivers.md).
 * "Sent" means accepted by Android. Throws `usage`.
 */
export function createTermuxDriver(
  options: DriverOptions,
  { env, clock }: Pick<DriverContext, 'env' | 'clock'>,
): Driver {
  return new TermuxDriver({
    program: { install, env: removeOwnVariables(env), clock },
    ...readOptions(termuxOptions, options),
  })
}

class TermuxDriver implements Driver {
  readonly name = 'termux'
  readonly watches: readonly DriverWatch[]
  readonly #settings: TermuxSettings
  #listener: DriverListener | undefined
  /**
   * Whether the Termux app has answered since the last failure. Without the app, `termux-sms-send`
   * waits forever, so the driver sends a harmless request before the first text and after each
   * failure.
   */
  #isAnswering = false

  constructor(settings: TermuxSettings) {
    this.#settings = settings
    const { program, poll: every } = settings
    const poll = async (signal: AbortSignal) => {
      if (this.#listener !== undefined) await readTermuxInbox(program, this.#listener, signal)
    }
    const { clock } = program
    this.watches = createPollingWatches({ name: 'the inbox of Android', every, clock, poll })
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send(
    { destination, text, assertCurrent }: DriverMessage,
    signal: AbortSignal,
  ): Promise<DriverReceipt> {
    const { slot, timeout } = this.#settings
    const sim = slot === undefined ? [] : ['-s', String(slot)]
    const args = ['-n', requirePlainNumber(destination), ...sim]
    // Android removes spaces and control characters from both ends of a text (Java's String.trim).
    if (/^[\0- ]*$/.test(text)) throw new DriverError('fail', 'Android cannot send an empty text.')
    if (!this.#isAnswering) await this.#probe(signal)
    await assertCurrent?.()
    this.#isAnswering = false
    const program = this.#getProgram('termux-sms-send')
    checkSent(await runExternalProgram(program, { args, timeout, signal, input: text }))
    this.#isAnswering = true
    return {}
  }

  async health(): Promise<DriverHealth> {
    try {
      const { sim_state, network_operator_name } = await this.#probe(createNeverSignal())
      const detail = `SIM ${sim_state ?? 'unknown'}, network ${network_operator_name ?? 'unknown'}.`
      return { ok: sim_state === 'ready', detail }
    } catch (error) {
      return { ok: false, detail: errorText(error) }
    }
  }

  async readNetwork(): Promise<DriverNetwork> {
    const { network_operator_name: operator } = await this.#probe(createNeverSignal())
    return typeof operator === 'string' && operator !== '' ? { operator } : {}
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #getProgram(name: string): ExternalProgram {
    return { ...this.#settings.program, name }
  }

  async #probe(signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const program = this.#getProgram('termux-telephony-deviceinfo')
    const timeout = Math.min(this.#settings.timeout, probeTimeout)
    const result = await runExternalProgram(program, { args: [], timeout, signal })
    if (result.by === 'stop' && signal.aborted) {
      throw new DriverError('trouble', 'Stopped before the text was sent.')
    }
    const answer = result.by === 'stop' ? undefined : parseJsonObject(result.stdout)
    throwIfRefused(answer)
    if (hasSucceeded(result) && answer !== undefined) return answer
    throw new DriverError('trouble', addAdvice(describeResult(program.name, result), advice))
  }
}

function checkSent(result: ProgramResult): void {
  throwIfRefused(parseJsonObject(result.stdout))
  const output = getLastOutput(`${result.stdout}\n${result.stderr}`)
  if (hasSucceeded(result) && output === '') return
  const description = describeResult('termux-sms-send', result)
  const isStopped = result.by === 'stop'
  throw new DriverError(
    getErrorKind(result),
    addAdvice(description, isStopped ? advice : undefined),
  )
}

/** Errors of the termux script begin with its name; they come before anything is sent. */
function getErrorKind({ by, stdout }: ProgramResult): DriverErrorKind {
  return by === 'exit' && stdout.startsWith('termux-sms-send:') ? 'trouble' : 'unknown'
}

/** If an Android permission is missing, the Termux app answers with an error. */
function throwIfRefused(answer: Readonly<Record<string, unknown>> | undefined): void {
  const error = answer?.error ?? answer?.API_ERROR
  if (error === undefined) return
  throw new DriverError('trouble', addAdvice(`Termux:API: ${getLastOutput(String(error))}`, advice))
}

function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads the newest texts in Android's inbox that came since the phone's first run. They stay in the
 * inbox, so the listener ignores those that it has. Throws `trouble`.
 */
async function readTermuxInbox(
  program: Omit<ExternalProgram, 'name'>,
  listener: DriverListener,
  signal: AbortSignal,
): Promise<void> {
  const name = 'termux-sms-list'
  const since = (await listener.getFirstRun?.('termux')) ?? 0
  const args = ['-d', '-n', '-l', maxTexts, '-t', 'inbox']
  const call = { args, timeout: listTimeout, signal, maxOutput: maxListLength }
  const result = await runExternalProgram({ ...program, name }, call)
  if (signal.aborted) return
  const list = parseJsonOutput(result, describeResult(name, result))
  const texts = (Array.isArray(list) ? list : []).map(toIncomingText)
  texts.sort((one, other) => one.at - other.at || one.id - other.id)
  for (const { id: _, ...text } of texts) {
    // Android's times of received texts are whole seconds.
    if (text.at >= Math.floor(since / 1000) * 1000) await listener.onText(text)
  }
}

/** The SIM of a text, where Termux:API names it (termux-api issue 431). */
const simFields = ['sim_slot', 'slot', 'sim', 'sim_id', 'subscription_id', 'sub_id'] as const

function toIncomingText(item: unknown): IncomingText & { id: number } {
  const from = readText(item, 'number') || readText(item, 'address') || readText(item, 'sender')
  const text = readText(item, 'body')
  const received = readText(item, 'received')
  const id = readText(item, '_id')
  const ref = id === '' ? hashText(JSON.stringify([from, received, text])) : `${id} ${received}`
  // Termux prints the local time of this machine.
  const at = Date.parse(received.replace(' ', 'T'))
  const sim = simFields.map(name => readText(item, name)).find(each => each !== '')
  return {
    ...{ from, text, at: Number.isNaN(at) ? 0 : at, ref, id: Number(id) },
    ...(sim === undefined ? {} : { sim: `SIM ${sim}` }),
  }
}
