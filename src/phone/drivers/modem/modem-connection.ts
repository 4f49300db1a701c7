import type { Clock } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'
import type { AtChannel } from './at-channel.js'
import { AtError } from './at-error.js'
import type { ModemInbox } from './modem-inbox.js'
import type { ModemSettings } from './modem-options.js'
import { openModemSession, restartModem, restartTime } from './modem-session.js'
import type { SerialLine } from './serial-line.js'
import { UssdExchange } from './ussd.js'

/** `+CME ERROR` for a wrong PIN (3GPP TS 27.007 section 9.2). */
const wrongPin = 16
/** Failures in a row after which the modem is restarted. */
const maxSilences = 2

/**
 * The connection to a modem, opened again after each loss. Recovery of a silent modem: Escape and
 * ATZ, the line closed and opened again, then the command of the option `reset`.
 */
export class ModemConnection {
  readonly #settings: ModemSettings
  readonly #clock: Clock
  readonly ussd = new UssdExchange()
  #inbox: ModemInbox | undefined
  #channel: AtChannel | undefined
  #opening: Promise<AtChannel> | undefined
  /** Resolves when the line that was closed last can be opened again. */
  #released: Promise<unknown> = Promise.resolve()
  /** Openings, and texts, to which the modem did not answer, in a row. */
  #silentOpenings = 0
  #silentTexts = 0
  #isDisposed = false
  /** A PIN that the SIM rejected is not tried again, because the third wrong one locks the SIM. */
  #isPinRejected = false

  constructor(settings: ModemSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  setInbox(inbox: ModemInbox): void {
    this.#inbox = inbox
  }

  /** Counts texts to which the modem does not answer; an answer of any kind ends the count. */
  recordText(error?: unknown): void {
    const isSilent = error instanceof AtError && error.fault.by === 'silence'
    this.#silentTexts = isSilent ? this.#silentTexts + 1 : 0
  }

  async getChannel(signal: AbortSignal): Promise<AtChannel> {
    if (this.#isDisposed) throw new DriverError('trouble', 'The driver was closed.')
    if (this.#channel !== undefined) return this.#channel
    this.#opening ??= this.#open(signal).finally(() => {
      this.#opening = undefined
    })
    return await this.#opening
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    const channel = this.#channel ?? (await this.#opening?.catch(() => undefined))
    channel?.close()
    await this.#released
  }

  async #open(signal: AbortSignal): Promise<AtChannel> {
    if (this.#isPinRejected) throw new DriverError('trouble', pinRejected)
    const { open, reset } = this.#settings
    await this.#released
    const line = await open(signal)
    const isRestartDue = Math.max(this.#silentOpenings, this.#silentTexts) >= maxSilences
    if (reset !== undefined && isRestartDue) return await this.#restart(line, reset)
    try {
      const channel = await this.#prepare(line)
      this.#silentOpenings = 0
      return channel
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (cause instanceof AtError && cause.fault.by === 'silence') this.#silentOpenings += 1
      if (isPinRejection(cause)) this.#isPinRejected = true
      throw error
    }
  }

  async #prepare(line: SerialLine): Promise<AtChannel> {
    const inbox = this.#inbox
    const { channel, acknowledges } = await openModemSession(line, {
      ...this.#settings,
      clock: this.#clock,
      enableNotifications: inbox !== undefined,
      onUnsolicited: unsolicited => {
        inbox?.handleUnsolicited(unsolicited)
        this.ussd.handleUnsolicited(unsolicited)
      },
      onClosed: () => {
        this.#released = this.#channel?.released ?? this.#released
        this.#channel = undefined
      },
    })
    this.#channel = channel
    inbox?.start(channel, acknowledges)
    return channel
  }

  async #restart(line: SerialLine, command: string): Promise<never> {
    this.#silentOpenings = 0
    this.#silentTexts = 0
    await restartModem(line, command, this.#clock)
    const sentence = `The modem did not answer, so it was restarted with ${command}.`
    throw new DriverError('trouble', sentence, { wait: restartTime })
  }
}

function isPinRejection(cause: unknown): boolean {
  return cause instanceof AtError && cause.fault.by === 'equipment' && cause.fault.code === wrongPin
}

const pinRejected =
  'The SIM rejected the PIN, and it is not tried again: a third wrong one locks the SIM. ' +
  'Set the right one with --option pin=….'
