import { runWithSignal } from '../../../util/async/abort.js'
import type { Clock } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'
import { AtChannel, type Unsolicited } from './at-channel.js'
import { AtError } from './at-error.js'
import { readModemState } from './modem-health.js'
import type { ModemInbox } from './modem-inbox.js'
import type { ModemSettings } from './modem-options.js'
import {
  isInTextMode,
  prepareModem,
  restartModem,
  restartRadio,
  restartTime,
  toTrouble,
} from './modem-session.js'
import type { PinMemory } from './pin-memory.js'
import type { SerialLine } from './serial-line.js'
import { UssdExchange } from './ussd.js'

/** Failures in a row after which the modem is restarted. */
const maxSilences = 2
const maxPreparations = 3
/** Milliseconds. */
const checkInterval = 30_000
/** Modems that start say so several times within some seconds. */
const startPause = 2000
const maxStartPause = 60_000
/** A modem that says that it starts so soon after the commands of `init` may say so of them. */
const initTime = 60_000
/** A modem needs longer than this to restart. */
const confirmInterval = 5000
/** Time without a network, after which the radio is restarted; it doubles each time. */
const maxOffline = 120_000
const maxOfflinePause = 3_600_000

interface ConnectionOptions {
  readonly settings: ModemSettings
  readonly clock: Clock
  readonly pins: PinMemory
  /** Runs a task while no text is being sent. */
  readonly runAlone: (task: () => Promise<void>) => Promise<void>
}

/**
 * The connection to a modem, opened again after each loss, and prepared again when the modem says
 * that it has started. Recovery of a silent modem: Escape and ATZ, the line closed and opened
 * again, then the command of the option `reset`.
 */
export class ModemConnection {
  readonly #options: ConnectionOptions
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
  /** Times in `clock.monotonic`. */
  #initAt = Number.NEGATIVE_INFINITY
  #confirmedAt = Number.NEGATIVE_INFINITY
  #offlineSince: number | undefined
  #offlinePause = maxOffline

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  setInbox(inbox: ModemInbox): void {
    this.#inbox = inbox
  }

  /** Counts texts to which the modem does not answer; an answer of any kind ends the count. */
  recordText(error?: unknown): void {
    const isSilent = error instanceof AtError && error.fault.by === 'silence'
    this.#silentTexts = isSilent ? this.#silentTexts + 1 : 0
    if (error === undefined) this.#confirmedAt = this.#options.clock.monotonic()
  }

  /** Has the modem prepared again before its next text. */
  markStale(): void {
    this.#channel?.markStale()
  }

  /** Returns the channel to a modem that is prepared. Throws `trouble`. */
  async getChannel(signal: AbortSignal): Promise<AtChannel> {
    if (this.#isDisposed) throw new DriverError('trouble', 'The driver was closed.')
    const channel = this.#channel
    if (channel !== undefined && !channel.isStale) return channel
    const open = async () =>
      channel === undefined ? await this.#open(signal) : await this.#prepare(channel)
    this.#opening ??= open().finally(() => {
      this.#opening = undefined
    })
    return await this.#opening
  }

  /** Returns the channel to a modem that does not say that it is in text mode. Throws `trouble`. */
  async getPduChannel(signal: AbortSignal): Promise<AtChannel> {
    for (let tries = 1; ; tries += 1) {
      const channel = await this.getChannel(signal)
      const age = this.#options.clock.monotonic() - this.#confirmedAt
      if (!channel.isStale && age < confirmInterval) return channel
      const isText = await isInTextMode(channel).catch(error => {
        throw toTrouble(error)
      })
      if (isText) channel.markStale()
      else this.#confirmedAt = this.#options.clock.monotonic()
      if (!channel.isStale) return channel
      if (tries === maxPreparations) throw new DriverError('trouble', stayedStale)
    }
  }

  /** Watches the modem until stopped, because one that hangs sends nothing. Throws `trouble`. */
  async watch(onWorking: () => void, signal: AbortSignal): Promise<void> {
    let pause = startPause
    while (!signal.aborted) {
      const channel = await this.getChannel(signal)
      onWorking()
      await this.#waitForChange(channel, signal)
      if (signal.aborted) return
      if (this.#channel !== channel) throw closedError(await channel.ended)
      if (channel.isStale) {
        await this.#options.clock.sleep(pause, signal)
        pause = Math.min(pause * 2, maxStartPause)
      } else {
        pause = startPause
        await this.#check(channel)
        if (this.#channel !== channel) throw closedError(await channel.ended)
      }
    }
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    const channel = this.#channel ?? (await this.#opening?.catch(() => undefined))
    channel?.close()
    await this.#released
  }

  async #open(signal: AbortSignal): Promise<AtChannel> {
    const {
      open,
      reset: [reset],
    } = this.#options.settings
    await this.#released
    const line = await open(signal)
    const isRestartDue = Math.max(this.#silentOpenings, this.#silentTexts) >= maxSilences
    if (reset !== undefined && isRestartDue) return await this.#restart(line, reset)
    try {
      const channel = await this.#prepare(this.#createChannel(line), true)
      this.#silentOpenings = 0
      return channel
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (cause instanceof AtError && cause.fault.by === 'silence') this.#silentOpenings += 1
      throw error
    }
  }

  #createChannel(line: SerialLine): AtChannel {
    const listener = {
      onUnsolicited: (unsolicited: Unsolicited) => {
        this.#inbox?.handleUnsolicited(unsolicited)
        this.ussd.handleUnsolicited(unsolicited)
      },
      onClosed: () => {
        this.#released = this.#channel?.released ?? this.#released
        this.#channel = undefined
      },
    }
    const isAnswerDue = this.#silentOpenings + this.#silentTexts > 0
    return new AtChannel(line, listener, this.#options.clock, isAnswerDue)
  }

  async #prepare(channel: AtChannel, isNew = false): Promise<AtChannel> {
    const { settings, clock, pins } = this.#options
    const inbox = this.#inbox
    const { init, ...others } = settings
    const now = clock.monotonic()
    const isInitDue = isNew || channel.hasRestarted || now - this.#initAt > initTime
    if (isInitDue) this.#initAt = now
    this.#confirmedAt = Number.NEGATIVE_INFINITY
    const acknowledges = await prepareModem(channel, {
      ...others,
      ...(isInitDue ? { init } : {}),
      clock,
      pins,
      enableNotifications: inbox !== undefined,
    })
    this.#channel = channel
    inbox?.start(channel, acknowledges)
    return channel
  }

  async #restart(line: SerialLine, command: string): Promise<never> {
    this.#silentOpenings = 0
    this.#silentTexts = 0
    await restartModem(line, command, this.#options.clock)
    const sentence = `The modem did not answer, so it was restarted with ${command}.`
    throw new DriverError('trouble', sentence, { wait: restartTime })
  }

  /** Waits until the next check, or until the channel is closed or stale. */
  async #waitForChange(channel: AtChannel, signal: AbortSignal): Promise<void> {
    const changed = new AbortController()
    void channel.ended.then(() => changed.abort())
    channel.onStale = () => changed.abort()
    if (channel.isStale) return
    await runWithSignal([signal, changed.signal], async either => {
      await this.#options.clock.sleep(checkInterval, either)
    })
  }

  /** Checks an idle modem: it answers, its SIM is ready, and it has a network. */
  async #check(channel: AtChannel): Promise<void> {
    const { clock, settings, runAlone } = this.#options
    try {
      await channel.run({ command: 'AT' })
      const { sim, registrations, isRegistered } = await readModemState(channel)
      if (sim !== undefined) channel.markStale()
      if (isRegistered) this.#offlinePause = maxOffline
      const isOffline = sim === undefined && registrations.length > 0 && !isRegistered
      if (!isOffline) this.#offlineSince = undefined
      if (!isOffline || settings.reset.length === 0) return
      // It may have had none since the check before.
      this.#offlineSince ??= clock.monotonic() - checkInterval
      if (clock.monotonic() - this.#offlineSince < this.#offlinePause) return
      this.#offlineSince = undefined
      this.#offlinePause = Math.min(this.#offlinePause * 2, maxOfflinePause)
      await runAlone(async () => await restartRadio(channel))
      channel.markStale()
    } catch (error) {
      // The channel was closed, or its modem refuses to answer AT.
      if (!(error instanceof AtError)) throw error
    }
  }
}

function closedError(reason: string): DriverError {
  return new DriverError('trouble', `The line to the modem was closed (${reason}).`)
}

const stayedStale =
  'The modem does not stay in PDU mode: it says again and again that it starts, or does not obey ' +
  'AT+CMGF=0. Check its power supply.'
