// The driver `gammu`: runs Gammu (1.36 or newer) for a phone on a cable or over Bluetooth.
//
// 1. `send` runs `gammu sendsms`; gammu-output.ts reads from its output what was sent.
// 2. If polled, gammu-inbox.ts reads the received texts, has them stored and deletes them.
// 3. Only one gammu runs at a time, because it needs exclusive use of the phone.

import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { decodeUssdText } from '../../../domain/sms/ussd-text.js'
import { errorText } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { Semaphore } from '../../../util/async/semaphore.js'
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
  type Env,
  type OptionValues,
  readOptions,
  seconds,
  whole,
} from '../../driver-port/driver-options.js'
import {
  createNeverSignal,
  hasSucceeded,
  type ProgramCall,
  requirePlainNumber,
  runExternalProgram,
  toEnglishEnvironment,
  word,
} from '../program/external-program.js'
import { createPollingWatches, maxListLength, poll } from '../program/inbox-polling.js'
import type { ProgramResult } from '../program/run-program.js'
import { readGammuInbox } from './gammu-inbox.js'
import { describeGammuOutput, parsePartsSent } from './gammu-output.js'

export const gammuOptions = {
  config: word({ ask: 'Configuration file of gammu (empty: its default)' }),
  section: whole(0, 999),
  timeout: seconds(60, 1, 3600),
  poll,
}

const install = 'Install it: apt install gammu.'
/** Milliseconds. */
const healthTimeout = 30_000
/** Characters of a text that gammu reads from its argument. */
const maxLength = 4000

interface GammuSettings {
  readonly env: Env
  readonly clock: Clock
  readonly config: readonly string[]
  /** Milliseconds. */
  readonly timeout: number
  /** Milliseconds between two polls of the inbox; undefined for none. */
  readonly poll: number | undefined
}

export function createGammuDriver(
  options: DriverOptions,
  { env, clock }: Pick<DriverContext, 'env' | 'clock'>,
): Driver {
  const values = readOptions(gammuOptions, options)
  return new GammuDriver({
    env,
    clock,
    ...values,
    config: toConfigArguments(values),
  })
}

class GammuDriver implements Driver {
  readonly name = 'gammu'
  readonly concurrency = 1
  readonly watches: readonly DriverWatch[]
  readonly #settings: GammuSettings
  readonly #semaphore = new Semaphore(1)
  #listener: DriverListener | undefined

  constructor(settings: GammuSettings) {
    this.#settings = settings
    const { poll: every, clock } = settings
    const poll = async (signal: AbortSignal) => await this.#poll(signal)
    this.watches = createPollingWatches({ name: 'the inbox of gammu', every, clock, poll })
  }

  listen(listener: DriverListener): void {
    this.#listener = listener
  }

  async send(
    { destination, text, flash = false, assertCurrent }: DriverMessage,
    signal: AbortSignal,
  ): Promise<DriverReceipt> {
    const number = requirePlainNumber(destination)
    const options = [...(flash ? ['-flash'] : []), ...toTextArguments(text)]
    const args = ['sendsms', 'TEXT', number, ...options]
    const call = { timeout: this.#settings.timeout, signal }
    return { parts: parsePartsSent(await this.#run(args, call, 'C', assertCurrent)) }
  }

  async health(): Promise<DriverHealth> {
    try {
      const call = { timeout: healthTimeout, signal: createNeverSignal() }
      const result = await this.#run(['networkinfo'], call)
      if (hasSucceeded(result)) return parseHealth(result.stdout)
      return { ok: false, detail: describeGammuOutput(result) }
    } catch (error) {
      return { ok: false, detail: errorText(error) }
    }
  }

  /** Without the signal: only `gammu monitor` has it, which takes incoming texts. */
  async readNetwork(): Promise<DriverNetwork> {
    const call = { timeout: healthTimeout, signal: createNeverSignal() }
    const result = await this.#run(['networkinfo'], call, 'C.UTF-8')
    const operator = /^Network *: [\d ]+\((.+?)(?:, [^,)]*)?\)/m.exec(result.stdout)?.[1]
    return hasSucceeded(result) && operator !== undefined ? { operator } : {}
  }

  async queryUssd(code: string, signal: AbortSignal): Promise<string> {
    const call = { timeout: this.#settings.timeout, signal }
    const result = await this.#run(['getussd', code], call, 'C.UTF-8')
    const reply = /^Service reply *: "([\s\S]*)"\s*$/m.exec(result.stdout)?.[1]
    if (hasSucceeded(result) && reply !== undefined) return decodeUssdText(reply)
    throw new DriverError('trouble', describeGammuOutput(result))
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #poll(signal: AbortSignal): Promise<void> {
    if (this.#listener === undefined) return
    const call = { timeout: this.#settings.timeout, signal, maxOutput: maxListLength }
    // Gammu prints texts in the locale's encoding.
    const run = async (args: readonly string[]) => await this.#run(args, call, 'C.UTF-8')
    await readGammuInbox(run, this.#listener)
  }

  async #run(
    args: readonly string[],
    call: Omit<ProgramCall, 'args'>,
    locale: 'C' | 'C.UTF-8' = 'C',
    assertCurrent?: () => Promise<void>,
  ): Promise<ProgramResult> {
    const { env, clock, config } = this.#settings
    const program = { name: 'gammu', install, env: toEnglishEnvironment(env, locale), clock }
    return await this.#semaphore.run(async () => {
      await assertCurrent?.()
      return await runExternalProgram(program, { ...call, args: [...config, ...args] })
    })
  }
}

function toConfigArguments({
  config,
  section,
}: OptionValues<typeof gammuOptions>): readonly string[] {
  return [
    ...(config === undefined ? [] : ['-c', config]),
    ...(section === undefined ? [] : ['-s', String(section)]),
  ]
}

/**
 * The arguments with which `gammu sendsms TEXT NUMBER` sends exactly this text. Throws `fail`.
 *
 * - `-textutf8`, because `-text` is read in the locale's encoding.
 * - `-unicode` by our own alphabet, because `-autolen` decides by another.
 * - In UCS-2 `~` is doubled, because gammu turns a single one into a command to blink.
 * - A line feed at the end is doubled, because gammu removes one.
 */
export function toTextArguments(text: string): readonly string[] {
  const isUnicode = countSmsParts(text).alphabet === 'UCS-2'
  const escaped = isUnicode ? text.replaceAll('~', '~~') : text
  if (isUnicode && splitsTilde(escaped)) throw unsendableError('a ~ falls between two parts')
  if (escaped.length >= maxLength) throw unsendableError('it is too long')
  const argument = escaped.endsWith('\n') ? `${escaped}\n` : escaped
  return ['-len', String(maxLength), ...(isUnicode ? ['-unicode'] : []), '-textutf8', argument]
}

function unsendableError(reason: string): DriverError {
  return new DriverError('fail', `gammu cannot send this text: ${reason}.`)
}

/** UTF-16 code units of a UCS-2 text in one SMS, and in each of several. */
const capacity = { single: 70, joined: 67 }

/** Whether an SMS part of gammu would end between the two halves of a doubled `~`. */
function splitsTilde(doubled: string): boolean {
  if (doubled.length <= capacity.single) return false
  for (let start = 0; doubled.length - start > capacity.joined; ) {
    const end = alignEnd(doubled, start + capacity.joined)
    const [tildes = ''] = /~*$/.exec(doubled.slice(start, end)) ?? []
    if (tildes.length % 2 === 1) return true
    start = end
  }
  return false
}

/** Gammu keeps surrogate pairs, a letter with a combining mark, and flags in one part. */
function alignEnd(text: string, end: number): number {
  const combining = /^[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/
  const isInside = /[\ud800-\udbff]$/.test(text.slice(0, end)) || combining.test(text.slice(end))
  const aligned = isInside ? end - 1 : end
  const isFlag = /^(\ud83c[\udde6-\uddff]){2}/.test(text.slice(aligned - 2))
  return isFlag ? aligned - 2 : aligned
}

function parseHealth(stdout: string): DriverHealth {
  const value = (name: string) => new RegExp(`^${name} *: (.*)$`, 'm').exec(stdout)?.[1]?.trim()
  const state = value('Network state') ?? 'unknown'
  const detail = `Network: ${state}, ${value('Network') ?? 'none'}.`
  return { ok: /^(home|roaming) network$/.test(state), detail }
}
