// The driver `mmcli`: sends through ModemManager, with its program `mmcli`.
//
// 1. `send` creates the text in ModemManager, sends it and deletes it. If sending ends without an
//    answer, it asks ModemManager for the state of the text.
// 2. If polled, mmcli-inbox.ts reads the received texts and receipts, has them stored and deletes
//    them.
// 3. mmcli-output.ts parses what mmcli prints; mmcli-errors.ts gives ModemManager's errors their
//    meaning.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { decodeUssdText } from '../../../domain/sms/ussd-text.js'
import { errorText } from '../../../errors.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
  type DriverNetwork,
  type DriverReceipt,
  type DriverWatch,
} from '../../driver-port/driver.js'
import {
  type DriverContext,
  type DriverOptions,
  readOptions,
  seconds,
  yesNo,
} from '../../driver-port/driver-options.js'
import { createNetworkId } from '../../driver-port/network-id.js'
import {
  createNeverSignal,
  describeResult,
  type ExternalProgram,
  hasSucceeded,
  type ProgramCall,
  requirePlainNumber,
  runExternalProgram,
  toEnglishEnvironment,
  word,
} from '../program/external-program.js'
import { createPollingWatches, maxListLength, poll } from '../program/inbox-polling.js'
import type { ProgramResult } from '../program/run-program.js'
import { mmcliError } from './mmcli-errors.js'
import { readMmcliInbox } from './mmcli-inbox.js'
import { parseKeyValues, parseMmcliHealth, parseMmcliNetwork } from './mmcli-output.js'

export const mmcliOptions = {
  modem: word({ ask: 'Index or UID of the modem (empty: the only one)' }),
  timeout: seconds(60, 1, 3600),
  poll,
  reports: yesNo(),
}

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
  readonly poll: number | undefined
  /** Whether the network is asked for delivery receipts. */
  readonly reports: boolean
}

export function createMmcliDriver(
  options: DriverOptions,
  { env, clock }: Pick<DriverContext, 'env' | 'clock'>,
): Driver {
  const values = readOptions(mmcliOptions, options)
  return new MmcliDriver({
    program: { name: 'mmcli', install, env: toEnglishEnvironment(env, 'C.UTF-8'), clock },
    ...values,
    modem: values.modem ?? 'any',
  })
}

class MmcliDriver implements Driver {
  readonly name = 'mmcli'
  readonly concurrency = 1
  readonly watches: readonly DriverWatch[]
  readonly #settings: MmcliSettings
  #listener: DriverListener | undefined

  constructor(settings: MmcliSettings) {
    this.#settings = settings
    const { program, poll: every } = settings
    const poll = async (signal: AbortSignal) => await this.#poll(signal)
    const name = 'the inbox of ModemManager'
    this.watches = createPollingWatches({ name, every, clock: program.clock, poll })
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send(
    { destination, text, flash }: DriverMessage,
    signal: AbortSignal,
  ): Promise<DriverReceipt> {
    const number = requirePlainNumber(destination)
    const { reports } = this.#settings
    const properties = [
      `number=${number}`,
      ...(reports ? ['delivery-report-request=yes'] : []),
      ...(flash === true ? ['class=0'] : []),
    ]
    const path = await withTextArguments(
      properties.join(','),
      text,
      async args => await this.#create(args, signal),
    )
    try {
      await this.#send(path, signal)
    } catch (error) {
      if (!isUnknownResult(error)) await this.#delete(path)
      throw error
    }
    const networkIds = reports ? await this.#readNetworkIds(path, number, text) : []
    await this.#delete(path)
    return networkIds.length === 0 ? {} : { networkIds }
  }

  async health(): Promise<DriverHealth> {
    const call = { timeout: defaultTimeout, signal: createNeverSignal() }
    try {
      const result = await this.#run(['-m', this.#settings.modem, '-K'], call)
      if (hasSucceeded(result)) return parseMmcliHealth(result.stdout)
      throw mmcliError(result, 'trouble')
    } catch (error) {
      return { ok: false, detail: errorText(error) }
    }
  }

  async readNetwork(): Promise<DriverNetwork> {
    const call = { timeout: defaultTimeout, signal: createNeverSignal() }
    return parseMmcliNetwork((await this.#run(['-m', this.#settings.modem, '-K'], call)).stdout)
  }

  async queryUssd(code: string, signal: AbortSignal): Promise<string> {
    const args = ['-m', this.#settings.modem, `--3gpp-ussd-initiate=${code}`]
    const call = { timeout: this.#settings.timeout, signal }
    const result = await this.#run(args, call)
    // mmcli has no other output for this: … new reply from network: 'REPLY'
    const reply = /: '(.*)'\s*$/s.exec(result.stdout)?.[1]
    await this.#run(['-m', this.#settings.modem, '--3gpp-ussd-cancel'], {
      timeout: cleanUpTimeout,
      signal: createNeverSignal(),
    }).catch(() => {})
    if (hasSucceeded(result) && reply !== undefined) return decodeUssdText(reply)
    throw mmcliError(result, 'trouble')
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
    if (isUnknownResult(error) && (await this.#isSent(path))) return
    throw error
  }

  async #isSent(path: string): Promise<boolean> {
    return (await this.#readSms(path)).get('sms.properties.state') === 'sent'
  }

  /** ModemManager has one reference for all parts, so only a text of one part has an id. */
  async #readNetworkIds(path: string, number: string, text: string): Promise<readonly string[]> {
    if (countSmsParts(text).parts > 1) return []
    const reference = (await this.#readSms(path)).get('sms.properties.message-reference')
    return reference === undefined ? [] : [createNetworkId(number, Number(reference))]
  }

  async #readSms(path: string): Promise<ReadonlyMap<string, string>> {
    const call = { timeout: cleanUpTimeout, signal: createNeverSignal() }
    const result = await this.#run(['-s', path, '-K'], call).catch(() => undefined)
    return parseKeyValues(result?.stdout ?? '')
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
  properties: string,
  text: string,
  run: (args: readonly string[]) => Promise<T>,
): Promise<T> {
  const quote = [`'`, '"'].find(each => !text.includes(each))
  if (quote !== undefined) {
    return await run([`--messaging-create-sms=${properties},text=${quote}${text}${quote}`])
  }
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-'))
  try {
    const path = join(folder, 'text')
    await writeFile(path, text, { mode: 0o600 })
    return await run([
      `--messaging-create-sms=${properties}`,
      `--messaging-create-sms-with-text=${path}`,
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isUnknownResult(error: unknown): boolean {
  return error instanceof DriverError && error.kind === 'unknown'
}
