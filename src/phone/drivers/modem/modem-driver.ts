// The driver `modem`: GSM and LTE modems with AT commands in PDU mode (3GPP TS 27.005).
//
// 1. serial-line.ts opens the device, or a TCP connection to one.
// 2. modem-session.ts prepares the modem and watches it while the phone runs.
// 3. at-channel.ts sends one command at a time and reads answers and unsolicited lines; at-error.ts
//    gives the errors their meaning.
// 4. `send` submits the parts of a text one after the other (submit-pdu.ts).
// 5. modem-inbox.ts reads received texts and receipts (deliver-pdu.ts) and clears the SIM.

import type { NationalLanguage } from '../../../domain/sms/national-tables.js'
import type { PartPosition } from '../../../domain/sms/part-header.js'
import { type SmsPart, splitIntoParts } from '../../../domain/sms/sms-parts.js'
import { errorText, RelayError } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { Semaphore } from '../../../util/async/semaphore.js'
import {
  type Driver,
  DriverError,
  type DriverHealth,
  type DriverListener,
  type DriverMessage,
} from '../../driver-port/driver.js'
import {
  type DriverContext,
  type DriverOptions,
  parseNationalOption,
  parseNumberOption,
  parseYesNoOption,
  requireOption,
} from '../../driver-port/driver-options.js'
import type { AtChannel } from './at-channel.js'
import { AtError, sendingError } from './at-error.js'
import { ModemInbox } from './modem-inbox.js'
import { openModemSession, readModemHealth, watchModem } from './modem-session.js'
import { createLineOpener, type OpenSerialLine } from './serial-line.js'
import { encodeSubmitPdu } from './submit-pdu.js'

export const modemOptions = [
  'device',
  'baud',
  'pin',
  'smsc',
  'timeout',
  'reports',
  'national',
] as const

/** Milliseconds. */
const healthTimeout = 20_000
/** `+CME ERROR` for a wrong PIN (3GPP TS 27.007 section 9.2). */
const wrongPin = 16

interface ModemSettings {
  readonly open: OpenSerialLine
  readonly clock: Clock
  /** Milliseconds for the network to accept a part. */
  readonly timeout: number
  readonly reports: boolean
  readonly national: readonly NationalLanguage[]
  /** Reference of the modem's first text that has parts, 0 to 255. */
  readonly firstReference: number
  readonly pin?: string
  readonly smsc?: string
}

/** Creates the driver `modem` (docs/reference/drivers.md). Throws `usage`. */
export function createModemDriver(
  options: DriverOptions,
  { env, clock, random }: Pick<DriverContext, 'env' | 'clock' | 'random'>,
): Driver {
  const device = requireOption(options, 'device', '--option device=/dev/ttyUSB0')
  const bauds = { min: 300, max: 4_000_000, whole: true }
  const seconds = { min: 1, max: 600, unit: 'seconds' }
  const { SMSRELAY_SIM_PIN: pin } = env
  const withPin = pin === undefined ? options : { pin, ...options }
  return new ModemDriver({
    open: createLineOpener(device, parseNumberOption(options, 'baud', bauds) ?? 115_200),
    clock,
    timeout: (parseNumberOption(options, 'timeout', seconds) ?? 60) * 1000,
    reports: parseYesNoOption(options, 'reports'),
    national: parseNationalOption(options),
    firstReference: Math.floor(random() * 256),
    ...parseDigitsOption(withPin, 'pin', /^\d{4,8}$/, '4 to 8 digits'),
    ...parseDigitsOption(options, 'smsc', /^\+?\d{3,15}$/, 'a number such as +12025550100'),
  })
}

class ModemDriver implements Driver {
  readonly name = 'modem'
  readonly watches = [
    {
      name: 'the line to the modem',
      isRequiredToSend: true,
      run: async (onWorking: () => void, signal: AbortSignal) =>
        await this.#keepOpen(onWorking, signal),
    },
  ]
  readonly #settings: ModemSettings
  /** The modem sends one text at a time, so that the parts of two are not mixed. */
  readonly #semaphore = new Semaphore(1)
  #inbox: ModemInbox | undefined
  #channel: AtChannel | undefined
  #opening: Promise<AtChannel> | undefined
  #reference: number
  #isDisposed = false
  /** A PIN that the SIM rejected is not tried again, because the third wrong one locks the SIM. */
  #isPinRejected = false

  constructor(settings: ModemSettings) {
    this.#settings = settings
    this.#reference = settings.firstReference
  }

  listen(listener: DriverListener): void {
    this.#inbox = new ModemInbox(listener)
  }

  async send(message: DriverMessage, signal: AbortSignal): Promise<{ parts: number }> {
    return await this.#semaphore.run(async () => await this.#sendParts(message, signal))
  }

  async #sendParts(message: DriverMessage, signal: AbortSignal): Promise<{ parts: number }> {
    const channel = await this.#getChannel(signal)
    await message.assertCurrent?.()
    const { national } = this.#settings
    const parts = splitIntoParts(message.text, { national })
    this.#reference = (this.#reference + 1) % 256
    const reference = this.#reference
    if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
    if (parts.length > 1) await channel.run({ command: 'AT+CMMS=1' }).catch(() => {})
    for (const [index, part] of parts.entries()) {
      const position = { reference, count: parts.length, number: index + 1 }
      await this.#submit(channel, message.destination, part, position)
    }
    return { parts: parts.length }
  }

  async health(): Promise<DriverHealth> {
    try {
      return await readModemHealth(await this.#getChannel(AbortSignal.timeout(healthTimeout)))
    } catch (error) {
      return { ok: false, detail: errorText(error) }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    const channel = this.#channel ?? (await this.#opening?.catch(() => undefined))
    channel?.close()
  }

  async #submit(
    channel: AtChannel,
    destination: string,
    part: SmsPart,
    position: PartPosition,
  ): Promise<void> {
    const { reports: report, timeout } = this.#settings
    const { length, hex } = encodeSubmitPdu(destination, part, position, { report })
    try {
      await channel.run({ command: `AT+CMGS=${length}`, text: hex, timeout })
    } catch (error) {
      const failure = error instanceof AtError ? sendingError(error) : (error as DriverError)
      throw position.number === 1 ? failure : partlySentError(failure, position)
    }
  }

  async #keepOpen(onWorking: () => void, signal: AbortSignal): Promise<void> {
    const channel = await this.#getChannel(signal)
    onWorking()
    await watchModem(channel, this.#settings.clock, signal)
  }

  async #getChannel(signal: AbortSignal): Promise<AtChannel> {
    if (this.#isDisposed) throw new DriverError('trouble', 'The driver was closed.')
    if (this.#channel !== undefined) return this.#channel
    this.#opening ??= this.#open(signal).finally(() => {
      this.#opening = undefined
    })
    return await this.#opening
  }

  async #open(signal: AbortSignal): Promise<AtChannel> {
    if (this.#isPinRejected) throw new DriverError('trouble', pinRejected)
    const { open, pin, smsc } = this.#settings
    const inbox = this.#inbox
    const session = {
      open,
      enableNotifications: inbox !== undefined,
      onUnsolicited: inbox?.handleUnsolicited.bind(inbox) ?? (() => {}),
      onClosed: () => {
        this.#channel = undefined
      },
      ...(pin === undefined ? {} : { pin }),
      ...(smsc === undefined ? {} : { smsc }),
    }
    try {
      const channel = await openModemSession(session, signal)
      this.#channel = channel
      inbox?.start(channel)
      return channel
    } catch (error) {
      if (isPinRejection(error)) this.#isPinRejected = true
      throw error
    }
  }
}

function isPinRejection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof AtError && cause.fault.by === 'equipment' && cause.fault.code === wrongPin
}

/** The modem has sent the earlier parts, so a retry would send them twice. */
function partlySentError(cause: DriverError, { number, count }: PartPosition): DriverError {
  const sentence = `Part ${number} of ${count} was not sent; the earlier parts were.`
  return new DriverError('unknown', `${sentence} ${cause.message}`, { cause })
}

const pinRejected =
  'The SIM rejected the PIN, and it is not tried again: a third wrong one locks the SIM. ' +
  'Set the right one with --option pin=….'

function parseDigitsOption<K extends string>(
  options: DriverOptions,
  name: K,
  pattern: RegExp,
  description: string,
): { [key in K]?: string } {
  const typed = options[name]?.trim()
  if (typed === undefined) return {}
  if (pattern.test(typed)) return { [name]: typed } as { [key in K]: string }
  throw new RelayError('usage', `${name} must be ${description}.`)
}
