import type { Clock } from '../../../util/async/clock.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
  type DriverWatch,
} from '../../driver-port/driver.js'
import type { DriverOptions } from '../../driver-port/driver-options.js'
import {
  describeResult,
  type Env,
  parseTimeoutOption,
  parseWordOption,
  requirePlainNumber,
  runExternalProgram,
  toEnglishEnvironment,
} from '../program/external-program.js'
import {
  createPollingWatches,
  type InboxPolling,
  maxListLength,
  parsePollOption,
} from '../program/inbox-polling.js'
import type { ProgramResult } from '../program/run-program.js'
import { withTextArguments } from './mmcli-arguments.js'
import { mmcliError } from './mmcli-errors.js'
import { readMmcliInbox } from './mmcli-inbox.js'

/** Names of the options of {@link createMmcliDriver}. */
export const mmcliOptions = ['modem', 'timeout', 'poll'] as const

const install = 'Install it: apt install modemmanager.'

/** Milliseconds that anything but sending may take, and what is asked or cleared away after it. */
const quickCall = { timeout: 25_000 }
const cleanUpCall = { timeout: 2000 }

/** What the mmcli driver uses of the world. */
export interface MmcliContext {
  readonly env: Env
  readonly clock: Clock
}

/**
 * A driver that has ModemManager send, by its program `mmcli`: `modem` is an index, path or UID of `mmcli -L`
 * (@default any), and the network may take `timeout` seconds (@default 60). A text is created, sent and deleted again.
 * When sending ends without an answer, ModemManager is asked for the state of the text. Texts that
 * come in are looked for every `poll` seconds and deleted once they are kept (@default never). Throws `usage`.
 */
export function createMmcliDriver(options: DriverOptions, context: MmcliContext): Driver {
  const modem = parseWordOption(options, 'modem') ?? 'any'
  const polling = { every: parsePollOption(options), clock: context.clock }
  return new MmcliDriver(
    toEnglishEnvironment(context.env, 'C.UTF-8'),
    modem,
    parseTimeoutOption(options),
    polling,
  )
}

type Run = Parameters<typeof runExternalProgram>[1]

class MmcliDriver implements Driver {
  readonly name = 'mmcli'
  readonly #env: Env
  readonly #modem: string
  readonly #timeout: number
  readonly watches: readonly DriverWatch[]
  #listener: DriverListener | undefined

  constructor(
    env: Env,
    modem: string,
    timeout: number,
    polling: Pick<InboxPolling, 'every' | 'clock'>,
  ) {
    this.#env = env
    this.#modem = modem
    this.#timeout = timeout
    const look = async (signal: AbortSignal) => await this.#look(signal)
    this.watches = createPollingWatches({ name: 'the inbox of ModemManager', ...polling, look })
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send({ destination, text }: DriverMessage, signal: AbortSignal): Promise<object> {
    const number = requirePlainNumber(destination)
    const path = await withTextArguments(
      number,
      text,
      async args => await this.#create(args, signal),
    )
    try {
      await this.#send(path, signal)
    } catch (error) {
      if (!isUnknownResult(error)) await this.#delete(path)
      throw error
    }
    await this.#delete(path)
    return {}
  }

  async health(): Promise<DriverHealth> {
    try {
      const ended = await this.#run(['-m', this.#modem, '-K'], {
        ...quickCall,
        signal: createNeverSignal(),
      })
      return hasSucceeded(ended)
        ? parseHealth(ended.stdout)
        : toFailedHealth(mmcliError(ended, 'trouble'))
    } catch (error) {
      return toFailedHealth(error as Error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #look(signal: AbortSignal): Promise<void> {
    const run = async (args: readonly string[]) =>
      await this.#run(args, { ...quickCall, signal, keep: maxListLength })
    if (this.#listener !== undefined) await readMmcliInbox(run, this.#modem, this.#listener)
  }

  /** Has ModemManager make the text, and gives its D-Bus path; nothing is sent by that. */
  async #create(args: readonly string[], signal: AbortSignal): Promise<string> {
    const ended = await this.#run(['-m', this.#modem, ...args], { ...quickCall, signal })
    const path = /\/org\/freedesktop\/ModemManager1\/SMS\/\d+/.exec(ended.stdout)?.[0]
    if (hasSucceeded(ended) && path !== undefined) return path
    throw mmcliError(ended, 'trouble')
  }

  async #send(path: string, signal: AbortSignal): Promise<void> {
    const seconds = Math.ceil(this.#timeout / 1000)
    // ModemManager's own limit comes first, and says more than an end by force.
    const call = { timeout: this.#timeout + 2000, signal }
    const ended = await this.#run(['-s', path, '--send', `--timeout=${seconds}`], call)
    if (hasSucceeded(ended)) return
    const error = ended.by === 'exit' ? mmcliError(ended, 'unknown') : noAnswerError(ended)
    if (isUnknownResult(error) && (await this.#state(path)) === 'sent') return
    throw error
  }

  async #state(path: string): Promise<string | undefined> {
    const ended = await this.#run(['-s', path, '-K'], {
      ...cleanUpCall,
      signal: createNeverSignal(),
    })
    return /^sms\.properties\.state\s*:\s*(\S+)/m.exec(ended.stdout)?.[1]
  }

  /** What is left behind costs room and nothing else. */
  async #delete(path: string): Promise<void> {
    const args = ['-m', this.#modem, `--messaging-delete-sms=${path}`]
    await this.#run(args, { ...cleanUpCall, signal: createNeverSignal() }).catch(() => {})
  }

  async #run(args: readonly string[], call: Omit<Run, 'args'>): Promise<ProgramResult> {
    return await runExternalProgram({ name: 'mmcli', install, env: this.#env }, { ...call, args })
  }
}

function hasSucceeded(ended: ProgramResult): boolean {
  return ended.by === 'exit' && ended.status === 0
}

function isUnknownResult(error: unknown): boolean {
  return error instanceof DriverError && error.kind === 'unknown'
}

function noAnswerError(ended: ProgramResult): DriverError {
  return new DriverError('unknown', describeResult('mmcli', ended))
}

function createNeverSignal(): AbortSignal {
  return new AbortController().signal
}

function toFailedHealth({ message }: Error): DriverHealth {
  return { ok: false, detail: message }
}

/** Reads `mmcli -m … -K`: lines of a name, a colon and a value. */
function parseHealth(stdout: string): DriverHealth {
  const value = (name: string) =>
    new RegExp(`^modem\\.${name}\\s*:\\s*(.*)$`, 'm').exec(stdout)?.[1]?.trim() ?? 'unknown'
  const state = value('generic\\.state')
  const signal = value('generic\\.signal-quality\\.value')
  const network = value('3gpp\\.operator-name')
  const ok = ['registered', 'connecting', 'connected', 'disconnecting'].includes(state)
  return { ok, detail: `Modem ${state}, network ${network}, signal ${signal} %.` }
}
