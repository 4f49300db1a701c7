// The driver `modem`: GSM and LTE modems with AT commands in PDU mode (3GPP TS 27.005).
//
// 1. serial-line.ts opens the device (serial-ports.ts finds it by its id), or a TCP connection.
// 2. modem-connection.ts opens it again after each loss, and restarts a modem that stays silent.
//    modem-session.ts prepares the modem and watches it; modem-health.ts asks for its network.
// 3. at-channel.ts sends one command at a time and reads answers and unsolicited lines; at-error.ts
//    and sms-causes.ts give the errors their meaning.
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
} from '../../driver-port/driver.js'
import type { DriverContext, DriverOptions } from '../../driver-port/driver-options.js'
import { createNetworkId } from '../../driver-port/network-id.js'
import type { AtChannel } from './at-channel.js'
import { AtError, sendingError } from './at-error.js'
import { ModemConnection } from './modem-connection.js'
import { readModemHealth, readModemNetwork } from './modem-health.js'
import { ModemInbox } from './modem-inbox.js'
import { type ModemSettings, parseModemOptions } from './modem-options.js'
import { findAnswer, watchModem } from './modem-session.js'
import { encodeSubmitPdu } from './submit-pdu.js'

/** Milliseconds. */
const healthTimeout = 20_000
const memoryInterval = 60_000

export function createModemDriver(
  options: DriverOptions,
  { env, clock, random }: Pick<DriverContext, 'env' | 'clock' | 'random'>,
): Driver {
  return new ModemDriver(parseModemOptions(options, env), clock, random)
}

class ModemDriver implements Driver {
  readonly name = 'modem'
  readonly concurrency = 1
  readonly watches = [
    {
      name: 'the line to the modem',
      isRequiredToSend: true,
      run: async (onWorking: () => void, signal: AbortSignal) =>
        await this.#keepOpen(onWorking, signal),
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

  constructor(settings: ModemSettings, clock: Clock, random: () => number) {
    this.#settings = settings
    this.#clock = clock
    this.#connection = new ModemConnection(settings, clock)
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
    await message.assertCurrent?.()
    const parts = splitIntoParts(message.text, this.#settings)
    this.#reference = (this.#reference + 1) % (this.#settings.hasLongReference ? 0x10000 : 0x100)
    const reference = this.#reference
    if (signal.aborted) throw new DriverError('trouble', 'Stopped before the text was sent.')
    if (parts.length > 1) await channel.run({ command: 'AT+CMMS=1' }).catch(() => {})
    const networkIds: string[] = []
    for (const [index, part] of parts.entries()) {
      const position = { reference, count: parts.length, number: index + 1 }
      networkIds.push(await this.#submit(channel, message, part, position))
    }
    const isWhole = this.#settings.reports && !networkIds.includes('')
    return { parts: parts.length, ...(isWhole ? { networkIds } : {}) }
  }

  async health(): Promise<DriverHealth> {
    try {
      const signal = AbortSignal.timeout(healthTimeout)
      const health = await readModemHealth(await this.#connection.getChannel(signal))
      const trouble = this.#inbox?.trouble
      return trouble === undefined ? health : { ok: false, detail: `${health.detail} ${trouble}` }
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

  /** Submits a part; returns the network's id of it, or empty if the modem gives none. */
  async #submit(
    channel: AtChannel,
    { destination, flash }: DriverMessage,
    part: SmsPart,
    position: PartPosition,
  ): Promise<string> {
    const { reports: report, timeout, hasLongReference } = this.#settings
    const options = { report, hasLongReference, flash }
    const pdu = encodeSubmitPdu(destination, part, position, options)
    try {
      const call = { command: `AT+CMGS=${pdu.length}`, text: pdu.hex, timeout }
      const reference = findAnswer(await channel.run(call), '+CMGS')?.split(',')[0] ?? ''
      this.#connection.recordText()
      return reference === '' ? '' : createNetworkId(destination, Number(reference))
    } catch (error) {
      this.#connection.recordText(error)
      this.#inbox?.recordFull(error)
      const failure = error instanceof AtError ? sendingError(error) : (error as DriverError)
      this.#isDoubtful = failure.kind === 'unknown'
      throw position.number === 1 ? failure : partlySentError(failure, position)
    }
  }

  async #checkNetwork(channel: AtChannel): Promise<void> {
    const { ok, detail } = await readModemHealth(channel).catch(error => ({
      ok: false,
      detail: errorText(error),
    }))
    if (!ok) throw new DriverError('trouble', `The modem has no network. ${detail}`)
    this.#isDoubtful = false
  }

  async #keepOpen(onWorking: () => void, signal: AbortSignal): Promise<void> {
    const channel = await this.#connection.getChannel(signal)
    onWorking()
    await watchModem(channel, this.#clock, signal)
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

/** The modem has sent the earlier parts, so a retry would send them twice. */
function partlySentError(cause: DriverError, { number, count }: PartPosition): DriverError {
  const sentence = `Part ${number} of ${count} was not sent; the earlier parts were.`
  return new DriverError('unknown', `${sentence} ${cause.message}`, { cause })
}
