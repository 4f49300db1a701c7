// The driver `mmcli`: sends through ModemManager, with its program `mmcli`.
//
// 1. `send` creates the text in ModemManager, sends it and deletes it. If sending ends without an
//    answer, it asks ModemManager for the state of the text.
// 2. If polled, it reads the received texts, has them stored and deletes them.
// 3. mmcli-errors.ts gives the errors of ModemManager their meaning.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorText } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
  type DriverReceipt,
  type DriverWatch,
  type IncomingText,
} from '../../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../../driver-port/driver-options.js'
import {
  createNeverSignal,
  describeResult,
  type ExternalProgram,
  hasSucceeded,
  type ProgramCall,
  parseTimeoutOption,
  parseWordOption,
  requirePlainNumber,
  runExternalProgram,
  toEnglishEnvironment,
} from '../program/external-program.js'
import {
  createPollingWatches,
  maxListLength,
  parseJsonOutput,
  parsePollOption,
  readText,
} from '../program/inbox-polling.js'
import type { ProgramResult } from '../program/run-program.js'
import { mmcliError } from './mmcli-errors.js'

export const mmcliOptions = ['modem', 'timeout', 'poll'] as const

const install = 'Install it: apt install modemmanager.'

/**
 * Milliseconds of the mmcli driver; `defaultTimeout` is for all steps but sending, `cleanUpTimeout`
 * for those after it.
 */
const defaultTimeout = 25_000
const cleanUpTimeout = 2000

interface MmcliSettings {
  readonly program: ExternalProgram
  /** Option `modem` of the mmcli driver: an index, path or UID of `mmcli -L`, or `any`. */
  readonly modem: string
  /** Milliseconds for sending. */
  readonly timeout: number
  /** Milliseconds between two polls of the inbox; undefined for none. */
  readonly every: number | undefined
}

/** Creates the driver `mmcli` (docs/reference/drivers.md). Throws `usage`. */
export function createMmcliDriver(
  options: DriverOptions,
  { env, clock }: Pick<DriverContext, 'env' | 'clock'>,
): Driver {
  return new MmcliDriver({
    program: { name: 'mmcli', install, env: toEnglishEnvironment(env, 'C.UTF-8'), clock },
    modem: parseWordOption(options, 'modem') ?? 'any',
    timeout: parseTimeoutOption(options),
    every: parsePollOption(options),
  })
}

class MmcliDriver implements Driver {
  readonly name = 'mmcli'
  readonly watches: readonly DriverWatch[]
  readonly #settings: MmcliSettings
  #listener: DriverListener | undefined

  constructor(settings: MmcliSettings) {
    this.#settings = settings
    const { program, every } = settings
    const poll = async (signal: AbortSignal) => await this.#poll(signal)
    const name = 'the inbox of ModemManager'
    this.watches = createPollingWatches({ name, every, clock: program.clock, poll })
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send({ destination, text }: DriverMessage, signal: AbortSignal): Promise<DriverReceipt> {
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
    const call = { timeout: defaultTimeout, signal: createNeverSignal() }
    try {
      const result = await this.#run(['-m', this.#settings.modem, '-K'], call)
      if (hasSucceeded(result)) return parseHealth(result.stdout)
      throw mmcliError(result, 'trouble')
    } catch (error) {
      return { ok: false, detail: errorText(error) }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #poll(signal: AbortSignal): Promise<void> {
    const call = { timeout: defaultTimeout, signal, maxOutput: maxListLength }
    const run = async (args: readonly string[]) => await this.#run(args, call)
    if (this.#listener === undefined) return
    await readMmcliInbox(run, this.#settings.modem, this.#listener)
  }

  async #create(args: readonly string[], signal: AbortSignal): Promise<string> {
    const call = { timeout: defaultTimeout, signal }
    const result = await this.#run(['-m', this.#settings.modem, ...args], call)
    const path = /\/org\/freedesktop\/ModemManager1\/SMS\/\d+/.exec(result.stdout)?.[0]
    if (hasSucceeded(result) && path !== undefined) return path
    throw mmcliError(result, 'trouble')
  }

  async #send(path: string, signal: AbortSignal): Promise<void> {
    const { timeout } = this.#settings
    const seconds = Math.ceil(timeout / 1000)
    // ModemManager's own timeout ends first, because its error gives a reason.
    const call = { timeout: timeout + 2000, signal }
    const result = await this.#run(['-s', path, '--send', `--timeout=${seconds}`], call)
    if (hasSucceeded(result)) return
    const error =
      result.by === 'exit'
        ? mmcliError(result, 'unknown')
        : new DriverError('unknown', describeResult('mmcli', result))
    if (isUnknownResult(error) && (await this.#readState(path)) === 'sent') return
    throw error
  }

  async #readState(path: string): Promise<string | undefined> {
    const call = { timeout: cleanUpTimeout, signal: createNeverSignal() }
    const result = await this.#run(['-s', path, '-K'], call)
    return /^sms\.properties\.state\s*:\s*(\S+)/m.exec(result.stdout)?.[1]
  }

  async #delete(path: string): Promise<void> {
    const args = ['-m', this.#settings.modem, `--messaging-delete-sms=${path}`]
    const call = { timeout: cleanUpTimeout, signal: createNeverSignal() }
    await this.#run(args, call).catch(() => {})
  }

  async #run(args: readonly string[], call: Omit<ProgramCall, 'args'>): Promise<ProgramResult> {
    return await runExternalProgram(this.#settings.program, { ...call, args })
  }
}

/**
 * Builds the arguments that create a text, and removes their file afterwards. In libmm-glib a
 * quoted value ends at the next quote of its kind, and nothing can be escaped. So the kind that the
 * text lacks is used. A text with both kinds is passed in a file that only this user can read,
 * which needs an mmcli that knows `--messaging-create-sms-with-text`.
 */
async function withTextArguments<T>(
  number: string,
  text: string,
  run: (args: readonly string[]) => Promise<T>,
): Promise<T> {
  const quote = [`'`, '"'].find(each => !text.includes(each))
  if (quote !== undefined) {
    return await run([`--messaging-create-sms=number=${number},text=${quote}${text}${quote}`])
  }
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-'))
  try {
    const path = join(folder, 'text')
    await writeFile(path, text, { mode: 0o600 })
    return await run([
      `--messaging-create-sms=number=${number}`,
      `--messaging-create-sms-with-text=${path}`,
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isUnknownResult(error: unknown): boolean {
  return error instanceof DriverError && error.kind === 'unknown'
}

/** Parses `mmcli -m … -K`: lines of a name, a colon and a value. */
function parseHealth(stdout: string): DriverHealth {
  const value = (name: string) =>
    new RegExp(`^modem\\.${name}\\s*:\\s*(.*)$`, 'm').exec(stdout)?.[1]?.trim() ?? 'unknown'
  const state = value('generic\\.state')
  const signal = value('generic\\.signal-quality\\.value')
  const network = value('3gpp\\.operator-name')
  const ok = ['registered', 'connecting', 'connected', 'disconnecting'].includes(state)
  return { ok, detail: `Modem ${state}, network ${network}, signal ${signal} %.` }
}

type RunMmcli = (args: readonly string[]) => Promise<ProgramResult>

/** Reads the texts in ModemManager and deletes each once it is stored. Throws `trouble`. */
async function readMmcliInbox(
  run: RunMmcli,
  modem: string,
  listener: DriverListener,
): Promise<void> {
  const list = await run(['-m', modem, '--messaging-list-sms', '-J'])
  const parsed: unknown = parseJsonOutput(list, describeResult('mmcli', list))
  const paths: unknown = Reflect.get(Object(parsed), 'modem.messaging.sms')
  for (const path of Array.isArray(paths) ? paths.map(String) : []) {
    const shown = await run(['-s', path, '-J'])
    const sms = parseJsonOutput(shown, describeResult('mmcli', shown))
    // In ModemManager, a text with missing parts is in the state `receiving`.
    if (readText(sms, 'sms', 'properties', 'state') !== 'received') continue
    await listener.onText(toIncomingText(sms))
    await run(['-m', modem, `--messaging-delete-sms=${path}`])
  }
}

function toIncomingText(sms: unknown): IncomingText {
  const from = readText(sms, 'sms', 'content', 'number')
  const text = readText(sms, 'sms', 'content', 'text')
  const timestamp = readText(sms, 'sms', 'properties', 'timestamp')
  const at = Date.parse(timestamp.replace(/([+-]\d\d)$/, '$1:00'))
  // ModemManager reuses paths after a restart, so the text itself identifies it.
  const ref = hashText(JSON.stringify([from, text, timestamp]))
  return { from, text: text === '--' ? '' : text, at: Number.isNaN(at) ? 0 : at, ref }
}
