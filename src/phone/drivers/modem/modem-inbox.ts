import { PromiseQueue } from '../../../util/async/promise-queue.js'
import type { DriverListener } from '../../driver-port/driver.js'
import type { AtChannel, Unsolicited } from './at-channel.js'
import { decodeDeliverPdu } from './deliver-pdu.js'

/** Milliseconds. */
const listTimeout = 20_000

/** Reads texts and receipts from a modem and deletes them from the SIM once they are stored. */
export class ModemInbox {
  readonly #listener: DriverListener
  /**
   * The modem's inbox is read once at a time: an index read twice would be deleted twice, and with
   * it a newer text.
   */
  readonly #queue = new PromiseQueue()
  #channel: AtChannel | undefined
  #hasUnread = false

  constructor(listener: DriverListener) {
    this.#listener = listener
  }

  /** Starts with an AT channel; first reads the texts that came while there was no channel. */
  start(channel: AtChannel): void {
    this.#channel = channel
    void this.#queue.run(async () => await this.#readStored(channel))
  }

  /** Handles an unsolicited line of the modem (3GPP TS 27.005 section 3.4.1). */
  handleUnsolicited({ line, pdu }: Unsolicited): void {
    if (pdu !== undefined) this.#pass(pdu).catch(() => {})
    const [, index] = /^\+C(?:MTI|DSI): ?"[^"]*", ?(\d+)$/.exec(line) ?? []
    const channel = this.#channel
    if (index === undefined || channel === undefined) return
    void this.#queue.run(async () => {
      if (this.#hasUnread) await this.#readStored(channel)
      else await this.#readOne(channel, index)
    })
  }

  async #readOne(channel: AtChannel, index: string): Promise<void> {
    try {
      const lines = await channel.run({ command: `AT+CMGR=${index}` })
      await this.#passAndDelete(channel, index, lines.at(-1) ?? '')
    } catch {
      // The text stays on the SIM and is read with the next one, or when the serial line is opened
      // again.
      this.#hasUnread = true
    }
  }

  async #readStored(channel: AtChannel): Promise<void> {
    this.#hasUnread = false
    try {
      const lines = await channel.run({ command: 'AT+CMGL=4', timeout: listTimeout })
      const stored = lines.flatMap((line, at) => {
        const [, index] = /^\+CMGL: ?(\d+),/.exec(line) ?? []
        return index === undefined ? [] : [{ index, pdu: lines[at + 1] ?? '' }]
      })
      // SIMs fill the first free index, so the index does not give the order.
      stored.sort((one, other) => getReceivedTime(one.pdu) - getReceivedTime(other.pdu))
      for (const { index, pdu } of stored) await this.#passAndDelete(channel, index, pdu)
    } catch {
      this.#hasUnread = true
    }
  }

  async #passAndDelete(channel: AtChannel, index: string, pdu: string): Promise<void> {
    // A text on the SIM that is read again after a crash has the same index.
    await this.#pass(pdu, `${index} ${pdu}`)
    await channel.run({ command: `AT+CMGD=${index}` })
  }

  async #pass(pdu: string, ref?: string): Promise<void> {
    const decoded = tryDecode(pdu)
    if (decoded?.kind === 'report') await this.#listener.onReceipt(decoded)
    if (decoded?.kind !== 'text') return
    const { kind: _, ...text } = decoded
    await this.#listener.onText({ ...text, ...(ref === undefined ? {} : { ref }) })
  }
}

/** Time of a text on the SIM, milliseconds since the epoch; 0 for anything but a text. */
function getReceivedTime(pdu: string): number {
  const decoded = tryDecode(pdu)
  return decoded?.kind === 'text' ? decoded.at : 0
}

/** A SIM may store other things than received texts. */
function tryDecode(pdu: string): ReturnType<typeof decodeDeliverPdu> | undefined {
  try {
    return decodeDeliverPdu(pdu)
  } catch {
    return undefined
  }
}
