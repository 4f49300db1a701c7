import type { DriverListener } from '../../driver.js'
import type { AtChannel, Unsolicited } from './at-channel.js'
import { Inbox } from './inbox.js'

/** Hands on the texts and delivery reports that a modem has or gets; texts are taken off the SIM when they are told. */
export class Receiving {
  readonly #listener: DriverListener
  readonly #inbox = new Inbox()
  #channel: AtChannel | undefined

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
    if (pdu !== undefined) this.#tell(pdu)
    const [, index] = /^\+C(?:MTI|DSI): ?"[^"]*", ?(\d+)$/.exec(line) ?? []
    if (index !== undefined) void this.#readOne(index)
  }

  async #readOne(index: string): Promise<void> {
    try {
      const lines = await this.#channel?.run({ command: `AT+CMGR=${index}` })
      this.#tell(lines?.at(-1) ?? '')
      await this.#channel?.run({ command: `AT+CMGD=${index}` })
    } catch {
      // It stays on the SIM, and is read when the line is opened the next time.
    }
  }

  async #readStored(channel: AtChannel): Promise<void> {
    try {
      const lines = await channel.run({ command: 'AT+CMGL=4', timeout: 20_000 })
      for (const [at, line] of lines.entries()) {
        const [, index] = /^\+CMGL: ?(\d+),/.exec(line) ?? []
        if (index === undefined) continue
        this.#tell(lines[at + 1] ?? '')
        await channel.run({ command: `AT+CMGD=${index}` })
      }
    } catch {
      // The same.
    }
  }

  #tell(pdu: string): void {
    const found = this.#read(pdu)
    if (found?.kind === 'text') this.#listener.received(found)
    if (found?.kind === 'report') this.#listener.reported(found)
  }

  /** What is stored need not be a text: what cannot be read is nobody's message. */
  #read(pdu: string): ReturnType<Inbox['take']> {
    try {
      return this.#inbox.take(pdu)
    } catch {
      return undefined
    }
  }
}
