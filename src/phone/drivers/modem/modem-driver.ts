// The driver `modem`: GSM and LTE modems with AT commands in PDU mode (3GPP TS 27.005).
//
// 1. serial-line.ts opens the device (serial-ports.ts finds it by its id), or a TCP connection.
// 2. modem-connection.ts opens it again after each loss, watches it, and restarts one that stays
//    silent. modem-session.ts prepares the modem, again after each start of it; sim-lock.ts unlocks
//    its SIM (pin-memory.ts has the wrong PINs); modem-health.ts asks for SIM and network.
// 3. at-channel.ts sends one command at a time and reads what at-lines.ts classifies: answers and
//    unsolicited lines; at-error.ts and error-tables.ts give the errors their meaning.
// 4. `send` submits the parts of a text one after the other (submit-pdu.ts).
// 5. modem-inbox.ts reads received texts and receipts (deliver-pdu.ts) from the modem's memories
//    (modem-memories.ts) and deletes them; ussd.ts sends USSD codes.

import type { PartPosition } from '../../../domain/sms/part-header.js'
import { type SmsPart, splitIntoParts } from '../../../domain/sms/sms-parts.js'
import { errorText } from '../../../errors.js'
import { runWithSignal } from '../../../util/async/abort.js'
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
  MessageChanged,
} from '../../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../../driver-port/driver-options.js'
import { createNetworkId } from '../../driver-port/network-id.js'
import { type AtChannel, findAnswer, tryCommand } from './at-channel.js'
import { AtError, getEffect, isModemTrouble, sendingError } from './at-error.js'
import { ModemConnection } from './modem-connection.js'
import { readModemHealth, readModemNetwork } from './modem-health.js'
import { ModemInbox } from './modem-inbox.js'
import { type ModemSettings, parseModemOptions } from './modem-options.js'
import { PinMemory } from './pin-memory.js'
import { encodeSubmitPdu } from './submit-pdu.js'

/** Milliseconds. */
const healthTimeout = 20_000
const memoryInterval = 60_000
const busyPause = 3000
const maxBusyTries = 5

type ModemContext = Pick<DriverContext, 'clock' | 'random' | 'stateDir'>

export function createModemDriver(
  options: DriverOptions,
  context: ModemContext & Pick<DriverContext, 'env'>,
): Driver {
  return new ModemDriver(parseModemOptions(options, context.env), context)
}

class ModemDriver implements Driver {
  readonly name = 'modem'
  readonly concurrency = 1
  readonly watches = [
    {
      name: 'the line to the modem',
      isRequiredToSend: true,
      run: async (onWorking: () => void, signal: AbortSignal) =>
        await this.#connection.watch(onWorking, signal),
    },
    {
      name: 'the memory of the modem',
      isRequiredToSend: false,
      run: async (onWorking: () => void, signal: AbortSignal) =>
        await this.#watchMemory(onWorking, signal),
    },
  ]
  readonly #settings: ModemSettings
  readonly #clock: Clock
  readonly #connection: ModemConnection
  /** The modem sends one text at a time, so that the parts of two are not mixed. */
  readonly #semaphore = new Semaphore(1)
  #inbox: ModemInbox | undefined
  #reference: number
  /** Whether the modem had an error of its own, so that its network is checked before a text. */
  #isDoubtful = false
  /** The modem's own trouble with the last text, which is not the fault of that text. */
  #trouble: string | undefined

  constructor(settings: ModemSettings, { clock, random, stateDir }: ModemContext) {
    this.#settings = settings
    this.#clock = clock
    const runAlone = async (task: () => Promise<void>) => await this.#semaphore.run(task)
    const pins = new PinMemory(stateDir)
    this.#connection = new ModemConnection({ settings, clock, pins, runAlone })
    this.#reference = Math.floor(random() * 0x10000)
  }

  listen(listener: DriverListener): void {
    this.#inbox = new ModemInbox(listener)
    this.#connection.setInbox(this.#inbox)
  }

  async send(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt> {
    return await this.#semaphore.run(async () => await this.#sendParts(message, signal))
  }

  async #sendParts(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt> {
    const channel = await this.#connection.getChannel(signal)
    if (this.#isDoubtful) await this.#checkNetwork(channel)
    const { national, long } = this.#settings
    const parts = splitIntoParts(message.text, { national, hasLongReference: long === 'udh16' })
    this.#reference = (this.#reference + 1) % (long === 'udh16' ? 0x10000 : 0x100)
    const reference = this.#reference
    const networkIds: string[] = []
    for (const [index, part] of parts.entries()) {
      const position = { reference, count: parts.length, number: index + 1 }
      networkIds.push(await this.#submit(message, part, position, signal))
    }
    const isWhole = this.#settings.reports && !networkIds.includes('')
    return { parts: parts.length, ...(isWhole ? { networkIds } : {}) }
  }

  async health(): Promise<DriverHealth> {
    try {
      const signal = AbortSignal.timeout(healthTimeout)
      const health = await readModemHealth(await this.#connection.getChannel(signal))
      const troubles = [this.#trouble, this.#inbox?.trouble].filter(each => each !== undefined)
      return troubles.length === 0
        ? health
        : { ok: false, detail: [health.detail, ...troubles].join(' ') }
    } catch (error) {
      return { ok: false, detail: errorText(error) }
    }
  }

  async readNetwork(): Promise<DriverNetwork> {
    const signal = AbortSignal.timeout(healthTimeout)
    return await readModemNetwork(await this.#connection.getChannel(signal))
  }

  async queryUssd(code: string, signal: AbortSignal): Promise<string> {
    return await this.#semaphore.run(async () => {
      const channel = await this.#connection.getChannel(signal)
      return await this.#connection.ussd.query(channel, code, this.#clock, signal)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.dispose()
  }

  /**
   * Submits a part, again after a pause while the modem is busy; returns the network's id of it, or
   * empty if the modem gives none.
   */
  async #submit(
    message: DriverMessage,
    part: SmsPart,
    position: PartPosition,
    signal: AbortSignal,
  ): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      try {
        const reference = await this.#submitOnce(message, part, position, signal)
        this.#recordPart()
        return reference === '' ? '' : createNetworkId(message.destination, Number(reference))
      } catch (error) {
        if (error instanceof MessageChanged) throw error
        this.#recordPart(error)
        const max = signal.aborted || !(error instanceof AtError) ? 0 : getMaxTries(error)
        if (tries >= max) throw toPartError(error, position)
        if (max === maxBusyTries) await this.#clock.sleep(busyPause, signal)
      }
    }
  }

  /** Submits a part; returns the reference that the modem gave it. Throws `AtError`. */
  async #submitOnce(
    { destination, flash, assertCurrent }: DriverMessage,
    part: SmsPart,
    position: PartPosition,
    signal: AbortSignal,
  ): Promise<string> {
    const { reports: report, timeout, long } = this.#settings
    const options = { report, hasLongReference: long === 'udh16', flash }
    const pdu = encodeSubmitPdu(destination, part, position, options)
    if (position.number === 1) await assertCurrent?.()
    const channel = await this.#connection.getPduChannel(signal)
    if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
    if (position.number === 1 && position.count > 1) {
      await tryCommand(channel, { command: 'AT+CMMS=1' })
    }
    const lines = await channel.run({ command: `AT+CMGS=${pdu.length}`, text: pdu.hex, timeout })
    return findAnswer(lines, '+CMGS')?.split(',')[0] ?? ''
  }

  #recordPart(error?: unknown): void {
    this.#connection.recordText(error)
    this.#inbox?.recordFull(error)
    const fault = error instanceof AtError ? error : undefined
    const effect = fault && getEffect(fault)
    this.#trouble = fault && isModemTrouble(fault) ? fault.message : undefined
    this.#isDoubtful = effect === 'unknown'
    const isRefused = effect === 'trouble' && fault?.isTextSent === false
    if (effect === 'again' || isRefused) this.#connection.markStale()
  }

  async #checkNetwork(channel: AtChannel): Promise<void> {
    const { ok, detail } = await readModemHealth(channel).catch(error => ({
      ok: false,
      detail: errorText(error),
    }))
    if (!ok) throw new DriverError('trouble', `The modem has no network. ${detail}`)
    this.#isDoubtful = false
  }

  /** Reads the modem's memories at intervals. Throws `trouble` if the modem cannot receive. */
  async #watchMemory(onWorking: () => void, signal: AbortSignal): Promise<void> {
    const inbox = this.#inbox
    while (!signal.aborted) {
      const full = new AbortController()
      inbox?.setFullListener(() => full.abort())
      await inbox?.check()
      if (inbox?.trouble !== undefined) throw new DriverError('trouble', inbox.trouble)
      onWorking()
      await runWithSignal(
        [signal, full.signal],
        async end => await this.#clock.sleep(memoryInterval, end),
      )
    }
  }
}

/** How often a part is given to the modem: again if it was busy, or is to be prepared again. */
function getMaxTries(error: AtError): number {
  const effect = getEffect(error)
  if (effect === 'busy') return maxBusyTries
  return effect === 'again' && !error.isTextSent ? 2 : 1
}

/** The modem has sent the earlier parts, so a retry of the text would send them twice. */
function toPartError(error: unknown, { number, count }: PartPosition): unknown {
  const cause = error instanceof AtError ? sendingError(error) : error
  if (number === 1) return cause
  const sentence = `Part ${number} of ${count} was not sent; the earlier parts were.`
  return new DriverError('unknown', `${sentence} ${errorText(cause)}`, { cause })
}
