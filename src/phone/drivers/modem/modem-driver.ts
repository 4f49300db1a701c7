import { type SmsPart, splitIntoParts } from '../../../domain/sms/sms-parts.js'
import { RelayError } from '../../../errors.js'
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
  type DriverOptions,
  parseNumberOption,
  parseYesNoOption,
  requireOption,
} from '../../driver-port/driver-options.js'
import type { AtChannel } from './at-channel.js'
import { AtError, sendingError } from './at-error.js'
import { toModemHealth } from './modem-health.js'
import { ModemInbox } from './modem-inbox.js'
import { findAnswer, openModemSession } from './modem-session.js'
import { watchModem } from './modem-watch.js'
import { createLineOpener, type OpenSerialLine } from './serial-line.js'
import { encodeSubmitPdu } from './submit-pdu.js'

/** Names of the options of {@link createModemDriver}. */
export const modemOptions = ['device', 'baud', 'pin', 'smsc', 'timeout', 'reports'] as const

/** What the modem driver uses of the world. */
export interface ModemContext {
  readonly random: () => number
  /** Of which SMSRELAY_SIM_PIN is read. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** @default what `device` names */
  readonly openLine?: OpenSerialLine
}

/**
 * A driver for GSM and LTE modems by AT commands in PDU mode (3GPP TS 27.005): `device` is a serial device or
 * `tcp://HOST:PORT`, with `baud` (@default 115200), the SIM's `pin` (or SMSRELAY_SIM_PIN), another service centre (`smsc`), the seconds
 * the network may take for a part (`timeout`, @default 60), and whether delivery reports are asked for (`reports`,
 * `yes` or `no`, @default no). The line is kept open while the phone runs. Throws `usage`.
 */
export function createModemDriver(options: DriverOptions, context: ModemContext): Driver {
  const device = requireOption(options, 'device', '--option device=/dev/ttyUSB0')
  const baud =
    parseNumberOption(options, 'baud', { min: 300, max: 4_000_000, whole: true }) ?? 115_200
  const seconds = { min: 1, max: 600, unit: 'seconds' }
  const timeout = (parseNumberOption(options, 'timeout', seconds) ?? 60) * 1000
  const open = context.openLine ?? createLineOpener(device, baud)
  const { SMSRELAY_SIM_PIN: pin } = context.env
  const secrets = pin === undefined ? options : { pin, ...options }
  return new ModemDriver({
    open,
    clock: context.clock,
    timeout,
    reports: parseYesNoOption(options, 'reports'),
    firstReference: Math.floor(context.random() * 256),
    ...parseDigitsOption(secrets, 'pin', /^\d{4,8}$/, '4 to 8 digits'),
    ...parseDigitsOption(options, 'smsc', /^\+?\d{3,15}$/, 'a number such as +12025550100'),
  })
}

interface Settings {
  readonly open: OpenSerialLine
  readonly clock: Clock
  readonly timeout: number
  readonly reports: boolean
  readonly firstReference: number
  readonly pin?: string
  readonly smsc?: string
}

class ModemDriver implements Driver {
  readonly name = 'modem'
  readonly watches = [
    {
      ...{ name: 'the line to the modem', isRequiredToSend: true },
      run: async (well: () => void, signal: AbortSignal) => await this.#keepOpen(well, signal),
    },
  ]
  readonly #settings: Settings
  /** The parts of a text go one after the other. */
  readonly #turn = new Semaphore(1)
  #receiving: ModemInbox | undefined
  #channel: AtChannel | undefined
  #opening: Promise<AtChannel> | undefined
  #reference: number
  #disposed = false
  /** A PIN that was refused is not tried again: the third time locks the SIM. */
  #refusedPin = false

  constructor(settings: Settings) {
    this.#settings = settings
    this.#reference = settings.firstReference
  }

  listen(listener: DriverListener): void {
    this.#receiving = new ModemInbox(listener)
  }

  async send(message: DriverMessage, signal: AbortSignal): Promise<{ parts: number }> {
    return await this.#turn.run(async () => await this.#send(message, signal))
  }

  async #send(message: DriverMessage, signal: AbortSignal): Promise<{ parts: number }> {
    const channel = await this.#opened(signal)
    await message.assertCurrent?.()
    const parts = splitIntoParts(message.text)
    this.#reference = (this.#reference + 1) % 256
    const reference = this.#reference
    if (parts.length > 1) await channel.run({ command: 'AT+CMMS=1' }).catch(() => {})
    for (const [at, part] of parts.entries()) {
      if (signal.aborted && at === 0)
        throw new DriverError('trouble', 'Stopped before the text was sent.')
      const place = { reference, count: parts.length, number: at + 1 }
      await this.#submit(channel, message.destination, part, place)
    }
    return { parts: parts.length }
  }

  async health(): Promise<DriverHealth> {
    try {
      const channel = await this.#opened(AbortSignal.timeout(20_000))
      const signal = findAnswer(await channel.run({ command: 'AT+CSQ' }), '+CSQ')
      const network = findAnswer(await channel.run({ command: 'AT+CREG?' }), '+CREG')
      return toModemHealth(signal, network)
    } catch (error) {
      return { ok: false, detail: (error as Error).message }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    const channel = this.#channel ?? (await this.#opening?.catch(() => undefined))
    channel?.close()
  }

  async #submit(
    channel: AtChannel,
    destination: string,
    part: SmsPart,
    place: { readonly reference: number; readonly count: number; readonly number: number },
  ): Promise<void> {
    const { reports: report, timeout } = this.#settings
    const { length, hex } = encodeSubmitPdu(destination, part, place, { report })
    try {
      await channel.run({ command: `AT+CMGS=${length}`, text: hex, timeout })
    } catch (error) {
      const failure = error instanceof AtError ? sendingError(error) : (error as DriverError)
      throw place.number === 1 ? failure : partlySentError(failure, place)
    }
  }

  async #keepOpen(well: () => void, signal: AbortSignal): Promise<void> {
    const channel = await this.#opened(signal)
    well()
    await watchModem(channel, this.#settings.clock, signal)
  }

  async #opened(signal: AbortSignal): Promise<AtChannel> {
    if (this.#disposed) throw new DriverError('trouble', 'The driver was closed.')
    if (this.#channel !== undefined) return this.#channel
    this.#opening ??= this.#open(signal).finally(() => {
      this.#opening = undefined
    })
    return await this.#opening
  }

  async #open(signal: AbortSignal): Promise<AtChannel> {
    const { open, pin, smsc } = this.#settings
    const receiving = this.#receiving
    if (this.#refusedPin) throw new DriverError('trouble', pinRefused)
    try {
      const channel = await openModemSession(
        {
          open,
          enableNotifications: receiving !== undefined,
          onUnsolicited: unsolicited => receiving?.handleUnsolicited(unsolicited),
          onClosed: () => {
            this.#channel = undefined
          },
          ...(pin === undefined ? {} : { pin }),
          ...(smsc === undefined ? {} : { smsc }),
        },
        signal,
      )
      this.#channel = channel
      receiving?.start(channel)
      return channel
    } catch (error) {
      const fault = (error as Error).cause
      const refused =
        fault instanceof AtError && fault.fault.by === 'equipment' && fault.fault.code === 16
      if (refused) this.#refusedPin = true
      throw error
    }
  }
}

/** Whatever stopped it, the parts before are gone: sent again, they would arrive twice. */
function partlySentError(
  cause: DriverError,
  place: { number: number; count: number },
): DriverError {
  const gone = `Part ${place.number} of ${place.count} was not sent, those before it were. ${cause.message}`
  return new DriverError('unknown', gone, { cause })
}

const pinRefused =
  'The SIM refused the PIN, and it is not tried again: a third wrong one locks the SIM. Give the right one with --option pin=….'

function parseDigitsOption<K extends string>(
  options: DriverOptions,
  name: K,
  form: RegExp,
  words: string,
): { [key in K]?: string } {
  const typed = options[name]?.trim()
  if (typed === undefined) return {}
  if (form.test(typed)) return { [name]: typed } as { [key in K]: string }
  throw new RelayError('usage', `${name} must be ${words}.`)
}
