import { PromiseQueue } from '../../../util/async/promise-queue.js'
import type { DriverListener } from '../../driver-port/driver.js'
import type { AtChannel, Unsolicited } from './at-channel.js'
import { decodeDeliverPdu } from './deliver-pdu.js'

/** Hands on the texts and delivery reports that a modem has or gets; a text is taken off the SIM once it is kept. */
export class ModemInbox {
  readonly #listener: DriverListener
  #channel: AtChannel | undefined
  #left = false
  /** An index read twice would be deleted twice, with the text that came to it in between. */
  readonly #queue = new PromiseQueue()

  constructor(listener: DriverListener) {
    this.#listener = listener
  }

  /** Goes on with this line, first with what came in while nobody listened. */
  start(channel: AtChannel): void {
    this.#channel = channel
    void this.#queue.run(async () => await this.#readStored(channel))
  }

  /** Takes what the modem says by itself (3GPP TS 27.005 section 3.4.1). */
  handleUnsolicited({ line, pdu }: Unsolicited): void {
    if (pdu !== undefined) this.#tell(pdu).catch(() => {})
    const [, index] = /^\+C(?:MTI|DSI): ?"[^"]*", ?(\d+)$/.exec(line) ?? []
    const channel = this.#channel
    if (index === undefined || channel === undefined) return
    void this.#queue.run(async () => {
      if (this.#left) await this.#readStored(channel)
      else await this.#readOne(channel, index)
    })
  }

  async #readOne(channel: AtChannel, index: string): Promise<void> {
    try {
      const lines = await channel.run({ command: `AT+CMGR=${index}` })
      await this.#take(channel, index, lines.at(-1) ?? '')
    } catch {
      // It stays on the SIM, and is read with the next text, or when the line is opened again.
      this.#left = true
    }
  }

  async #readStored(channel: AtChannel): Promise<void> {
    this.#left = false
    try {
      const lines = await channel.run({ command: 'AT+CMGL=4', timeout: 20_000 })
      const stored = lines.flatMap((line, at) => {
        const [, index] = /^\+CMGL: ?(\d+),/.exec(line) ?? []
        return index === undefined ? [] : [{ index, pdu: lines[at + 1] ?? '' }]
      })
      const inOrder = stored.sort(
        (one, other) => getReceivedTime(one.pdu) - getReceivedTime(other.pdu),
      )
      for (const { index, pdu } of inOrder) await this.#take(channel, index, pdu)
    } catch {
      this.#left = true
    }
  }

  async #take(channel: AtChannel, index: string, pdu: string): Promise<void> {
    // What is read again after a crash is in the same place.
    await this.#tell(pdu, `${index} ${pdu}`)
    await channel.run({ command: `AT+CMGD=${index}` })
  }

  async #tell(pdu: string, ref?: string): Promise<void> {
    const found = tryDecode(pdu)
    if (found?.kind === 'report') this.#listener.onReceipt(found)
    if (found?.kind !== 'text') return
    const { kind: _, ...text } = found
    await this.#listener.onText({ ...text, ...(ref === undefined ? {} : { ref }) })
  }
}

/** SIMs fill the first free place, so that places say no order; milliseconds since the epoch, 0 where there is none. */
function getReceivedTime(pdu: string): number {
  const found = tryDecode(pdu)
  return found?.kind === 'text' ? found.at : 0
}

/** What is stored need not be a text: what cannot be read is nobody's message. */
function tryDecode(pdu: string): ReturnType<typeof decodeDeliverPdu> | undefined {
  try {
    return decodeDeliverPdu(pdu)
  } catch {
    return undefined
  }
}
