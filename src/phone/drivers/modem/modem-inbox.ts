import { errorText } from '../../../errors.js'
import { PromiseQueue } from '../../../util/async/promise-queue.js'
import type { DriverListener } from '../../driver-port/driver.js'
import { type AtChannel, tryCommand, type Unsolicited } from './at-channel.js'
import { AtError } from './at-error.js'
import { decodeDeliverPdu, toReceipt } from './deliver-pdu.js'
import { findMemories, type ModemMemories } from './modem-memories.js'

/** Milliseconds. */
const listTimeout = 20_000
/** Texts that AT+CMGL lists: received ones that were not read, or all. */
const unread = '0'
const all = '4'
/** `+CMS ERROR` of a full memory (3GPP TS 27.005 section 3.2.5). */
const memoryFull = 322
/** A text, or a receipt, was stored; modems add to this, and leave parts of it out. */
const announcement = /^\+C(MTI|DSI)\b:? ?"?([A-Z]\w*)?/
const exactAnnouncement = /^\+C(?:MTI|DSI): ?"[^"]*", ?(\d+)$/
const fullLine = /^(\^SMMEMFULL|\+QIND: ?"smsfull"|\+CIEV: ?"?smsfull"?, ?[12]|SMS FULL)/i

interface InboxSession {
  readonly channel: AtChannel
  readonly memories: ModemMemories
  /** Whether the network waits for the acknowledgement of a PDU that was not stored. */
  readonly acknowledges: boolean
}

interface StoredPdu {
  readonly index: string
  readonly pdu: string
}

/**
 * Reads texts and receipts from a modem, and deletes each from the modem's memory once it is
 * stored. Drafts, sent texts and PDUs that cannot be decoded stay.
 */
export class ModemInbox {
  readonly #listener: DriverListener
  /**
   * The modem's inbox is read once at a time: an index read twice would be deleted twice, and with
   * it a newer text.
   */
  readonly #queue = new PromiseQueue()
  #session: InboxSession | undefined
  #home: string | undefined
  #hasUnread = false
  /** Memories that are to be read after an announcement. */
  readonly #announced = new Set<string | undefined>()
  #trouble: string | undefined
  /** The modem's own error about a full memory, since the last check. */
  #fullError: string | undefined
  #onFull: () => void = () => {}

  constructor(listener: DriverListener) {
    this.#listener = listener
  }

  get trouble(): string | undefined {
    return this.#trouble
  }

  /** Starts with an AT channel; first reads the texts that came while there was no channel. */
  start(channel: AtChannel, acknowledges: boolean): void {
    this.#session = undefined
    void this.#queue.run(async () => {
      try {
        const { memories, home } = await findMemories(channel, this.#home)
        this.#home ??= home
        this.#session = { channel, memories, acknowledges }
        await this.#readStored(this.#session)
      } catch {
        // The channel is closed; the next one reads the texts.
      }
    })
  }

  /** Reads all memories again, for modems that do not announce texts, and those that are full. */
  async check(): Promise<void> {
    await this.#queue.run(async () => {
      if (this.#session !== undefined) await this.#readStored(this.#session)
    })
  }

  setFullListener(onFull: () => void): void {
    this.#onFull = onFull
  }

  /** Handles an unsolicited line of the modem (3GPP TS 27.005 section 3.4.1). */
  handleUnsolicited({ line, pdu }: Unsolicited): void {
    if (pdu !== undefined) void this.#queue.run(async () => await this.#passDirect(pdu))
    if (fullLine.test(line)) this.#onFull()
    const [, name, memory] = announcement.exec(line) ?? []
    if (name === undefined) return
    const index = name === 'DSI' ? exactAnnouncement.exec(line)?.[1] : undefined
    if (index !== undefined) void this.#queue.run(async () => await this.#readOne(memory, index))
    else this.#queueRead(memory, exactAnnouncement.test(line))
  }

  /**
   * Reads a memory after an announcement. Its index is ignored: by now it may have a newer text,
   * which would overtake others. Announcements that wait together need one read. One that is not
   * exact may be of any memory, and of a text that counts as read.
   */
  #queueRead(memory: string | undefined, isExact: boolean): void {
    if (!isExact) this.#hasUnread = true
    if (this.#announced.has(memory)) return
    this.#announced.add(memory)
    void this.#queue.run(async () => {
      this.#announced.delete(memory)
      const session = this.#session
      if (session === undefined) return
      if (this.#hasUnread || !session.memories.has(memory)) return await this.#readStored(session)
      try {
        await session.memories.use(memory, async () => await this.#readMemory(session, unread))
      } catch (error) {
        this.#handleFailure(error)
      }
    })
  }

  async #readOne(memory: string | undefined, index: string): Promise<void> {
    const session = this.#session
    try {
      await session?.memories.use(memory, async () => {
        const lines = await session.channel.run({ command: `AT+CMGR=${index}` })
        const [stored] = parseStored(lines, /^\+CMGR: ?()(\d)/)
        if (stored !== undefined) await this.#passAndDelete(session, { ...stored, index })
      })
    } catch (error) {
      this.#handleFailure(error)
    }
  }

  async #readStored(session: InboxSession): Promise<void> {
    this.#hasUnread = false
    const fullError = this.#fullError
    this.#fullError = undefined
    try {
      for (const name of session.memories.names) {
        await session.memories.use(name, async () => await this.#readMemory(session))
      }
      const full = await session.memories.findFull()
      this.#trouble = full ?? (session.memories.hasCounts ? undefined : fullError)
    } catch (error) {
      this.#handleFailure(error)
    }
  }

  async #readMemory(session: InboxSession, status = all): Promise<void> {
    const { channel } = session
    const list = (which: string) => ({ command: `AT+CMGL=${which}`, timeout: listTimeout })
    const lines = (await tryCommand(channel, list(status))) ?? (await channel.run(list(all)))
    const stored = parseStored(lines, /^\+CMGL: ?(\d+), ?(\d)/)
    // SIMs fill the first free index, so the index does not give the order.
    stored.sort((one, other) => getReceivedTime(one.pdu) - getReceivedTime(other.pdu))
    for (const each of stored) await this.#passAndDelete(session, each)
  }

  /** The text stays in the memory and is read with the next one, or by the next check. */
  #handleFailure(error: unknown): void {
    this.#hasUnread = true
    this.recordFull(error)
  }

  /** Reports a full memory if that is the modem's error. */
  recordFull(error: unknown): void {
    const isFull =
      error instanceof AtError && error.fault.by === 'sms' && error.fault.code === memoryFull
    if (!isFull) return
    this.#fullError = error.message
    this.#onFull()
  }

  async #passAndDelete({ channel }: InboxSession, { index, pdu }: StoredPdu): Promise<void> {
    if (!(await this.#pass(pdu, `${index} ${pdu}`))) return
    const deleted = await tryCommand(channel, { command: `AT+CMGD=${index}` })
    // The listener ignores a text that it has when it is read again.
    if (deleted === undefined) this.#hasUnread = true
  }

  /** Passes on a PDU that the modem did not store, and acknowledges it to the network. */
  async #passDirect(pdu: string): Promise<void> {
    const session = this.#session
    const isStored = await this.#pass(pdu).catch(() => false)
    if (session?.acknowledges !== true) return
    // CNMA=2 has the network send the PDU again (3GPP TS 27.005 section 4.7).
    const command = isStored ? 'AT+CNMA' : 'AT+CNMA=2'
    await tryCommand(session.channel, { command }).catch(() => {})
  }

  /**
   * Has a PDU stored; false if it cannot be decoded. Throws if it cannot be stored. `place` tells a
   * text without a time from another one: in the memory it has the same index after a crash.
   */
  async #pass(pdu: string, place?: string): Promise<boolean> {
    const decoded = tryDecode(pdu)
    if ('error' in decoded) await this.#listener.onUndecodable?.({ hex: pdu, ...decoded })
    else if (decoded.kind === 'report') await this.#listener.onReceipt(toReceipt(decoded))
    else {
      const { kind, ...rest } = decoded
      if ('content' in rest) this.#listener.onIgnored?.(rest)
      else {
        const needsRef = rest.at === 0 && place !== undefined
        await this.#listener.onText({ ...rest, ...(needsRef ? { ref: place } : {}) })
      }
    }
    return !('error' in decoded)
  }
}

/** The received PDUs of AT+CMGL or AT+CMGR: those with the status 0 (new) or 1 (read). */
function parseStored(lines: readonly string[], heading: RegExp): StoredPdu[] {
  return lines.flatMap((line, at) => {
    const [, index, status] = heading.exec(line) ?? []
    const isReceived = status === '0' || status === '1'
    return index === undefined || !isReceived ? [] : [{ index, pdu: lines[at + 1] ?? '' }]
  })
}

/** Time of a text on the SIM, milliseconds since the epoch; 0 for anything but a text. */
function getReceivedTime(pdu: string): number {
  const decoded = tryDecode(pdu)
  return 'kind' in decoded && decoded.kind === 'text' ? decoded.at : 0
}

function tryDecode(pdu: string): ReturnType<typeof decodeDeliverPdu> | { readonly error: string } {
  try {
    return decodeDeliverPdu(pdu)
  } catch (error) {
    return { error: errorText(error) }
  }
}
