import type { DriverListener } from '../../driver.js'
import type { AtChannel, Unsolicited } from './at-channel.js'
import { decodeIncoming } from './incoming-pdu.js'

/** Hands on the texts and delivery reports that a modem has or gets; a text is taken off the SIM once it is kept. */
export class Receiving {
  readonly #listener: DriverListener
  #channel: AtChannel | undefined
  #left = false

  constructor(listener: DriverListener) {
    this.#listener = listener
  }

  /** Goes on with this line, first with what came in while nobody listened. */
  begin(channel: AtChannel): void {
    this.#channel = channel
    void this.#readStored(channel)
  }

  /** Takes what the modem says by itself (3GPP TS 27.005 section 3.4.1). */
  hear({ line, pdu }: Unsolicited): void {
    if (pdu !== undefined) this.#tell(pdu).catch(() => {})
    const [, index] = /^\+C(?:MTI|DSI): ?"[^"]*", ?(\d+)$/.exec(line) ?? []
    if (index === undefined || this.#channel === undefined) return
    if (this.#left) void this.#readStored(this.#channel)
    else void this.#readOne(this.#channel, index)
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
      for (const [at, line] of lines.entries()) {
        const [, index] = /^\+CMGL: ?(\d+),/.exec(line) ?? []
        if (index !== undefined) await this.#take(channel, index, lines[at + 1] ?? '')
      }
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
    const found = read(pdu)
    if (found?.kind === 'report') this.#listener.reported(found)
    if (found?.kind !== 'text') return
    const { kind: _, ...text } = found
    await this.#listener.received({ ...text, ...(ref === undefined ? {} : { ref }) })
  }
}

/** What is stored need not be a text: what cannot be read is nobody's message. */
function read(pdu: string): ReturnType<typeof decodeIncoming> | undefined {
  try {
    return decodeIncoming(pdu)
  } catch {
    return undefined
  }
}
