import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { listenOnLoopback } from '../../../ports/listen-on-loopback.js'
import { decodeSubmitPdu, encodeDeliverPdu } from './modem-pdu.js'
import type { NetworkSend } from './network-sends.js'

/**
 * How a modem stops answering: to one text, before or after it was sent; or to all commands from
 * the next text on, until it is opened again, until ATZ, or until it is restarted.
 */
export type Silence = 'unsent text' | 'sent text' | 'line' | 'ATZ' | 'restart'

/** Texts that the SIM has space for. */
const total = 20

/** A modem on a TCP port. Its SIM receives texts; it sends texts, and may fall silent. */
export class Modem {
  /** Every text that arrived for the SIM, in order. */
  readonly texts: string[] = []
  /** Every text of which all parts were sent, in order. */
  readonly sends: NetworkSend[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** PDUs by their position on the SIM; a draft is an empty one. */
  readonly #stored = new Map<number, string>()
  /** Texts that the network keeps while the SIM is full. */
  readonly #waiting: string[] = []
  #parts: string[] = []
  #failures = 0
  #silence: Silence | undefined
  #isSilent = false
  #isFilling = false
  #recover: () => void = () => {}

  constructor() {
    this.#server = createServer({ noDelay: true }, socket => this.#serve(socket))
  }

  /** Texts that no phone has deleted yet. */
  get storedCount(): number {
    const texts = [...this.#stored.values()].filter(pdu => pdu !== '')
    return texts.length + this.#waiting.length
  }

  /** Texts that it sent, or that were lost in it. */
  get attempts(): number {
    return this.sends.length + this.#failures
  }

  /** Resolves to the device name for a phone. */
  async start(): Promise<string> {
    return `tcp://127.0.0.1:${await listenOnLoopback(this.#server)}`
  }

  /** Closes the server and every connection. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#hangUp()
    await closed
  }

  /** Receives a text: the network keeps it while the SIM is full. */
  storeText(text: string): void {
    this.texts.push(text)
    this.#waiting.push(encodeDeliverPdu(text, this.texts.length - 1))
    this.#deliverWaiting()
  }

  /** Fills the SIM with drafts, also the positions that become free. */
  addDrafts(): void {
    this.#isFilling = true
    for (let place = 1; place <= total; place += 1) {
      if (!this.#stored.has(place)) this.#stored.set(place, '')
    }
  }

  removeDrafts(): void {
    this.#isFilling = false
    for (const [place, pdu] of this.#stored) if (pdu === '') this.#stored.delete(place)
    this.#deliverWaiting()
  }

  /** Falls silent with the next text. Resolves when a text was sent and answered after that. */
  async fallSilent(silence: Silence): Promise<void> {
    await new Promise<void>(resolve => {
      this.#silence = silence
      this.#recover = resolve
    })
  }

  /** Stores what waits in the first free positions, like a SIM, and notifies the phones. */
  #deliverWaiting(): void {
    for (let place = 1; place <= total && this.#waiting.length > 0; place += 1) {
      if (this.#stored.has(place)) continue
      this.#stored.set(place, this.#waiting.shift() ?? '')
      for (const socket of this.#sockets) sendLines(socket, [`+CMTI: "SM",${place}`])
    }
    if (this.#waiting.length === 0) return
    for (const socket of this.#sockets) sendLines(socket, ['^SMMEMFULL: "SM"'])
  }

  #hangUp(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    if (this.#silence === 'line') this.#endSilence()
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
    let rest = ''
    let isText = false
    socket.setEncoding('latin1').on('data', (more: string) => {
      rest += more
      for (;;) {
        const end = rest.search(isText ? /[\u001a\u001b]/ : /\r/)
        if (end === -1) return
        const given = rest.slice(0, end)
        const isDropped = rest[end] === '\u001b'
        rest = rest.slice(end + 1)
        const command = given.replaceAll('\u001b', '')
        const begins = !isText && command.startsWith('AT+CMGS=')
        if (isText && !isDropped) sendLines(socket, this.#takePart(given))
        else if (!isText && this.#isHeard(command)) {
          if (begins) socket.write('\r\n> ')
          else sendLines(socket, this.#answer(command))
        }
        isText = begins && !this.#isSilent
      }
    })
  }

  /** Whether the modem answers a command, which may end its silence. */
  #isHeard(command: string): boolean {
    const ends = { ATZ: 'ATZ', restart: 'AT+CFUN=1,1' } as const
    const isText = command.startsWith('AT+CMGS=')
    if (this.#silence === 'ATZ' || this.#silence === 'restart') {
      this.#isSilent ||= isText
      if (!this.#isSilent || command !== ends[this.#silence]) return !this.#isSilent
      const isRestart = this.#silence === 'restart'
      this.#endSilence()
      if (isRestart) this.#hangUp()
    } else if (this.#silence === 'line') this.#isSilent ||= isText
    return !this.#isSilent
  }

  #endSilence(): void {
    if (!this.#isSilent) return
    this.#silence = undefined
    this.#isSilent = false
  }

  /** Takes a part of a text; returns the answer, which is empty for a silent modem. */
  #takePart(hex: string): string[] {
    const { text, number, count } = decodeSubmitPdu(hex)
    this.#parts = number === 1 ? [text] : [...this.#parts, text]
    if (number < count) return ['+CMGS: 1', 'OK']
    const isUnsent = this.#silence === 'unsent text'
    const isAnswered = !isUnsent && this.#silence !== 'sent text'
    if (isUnsent) this.#failures += 1
    else this.sends.push({ text: this.#parts.join(''), isAnswered })
    if (!isAnswered) {
      this.#silence = undefined
      return []
    }
    if (this.#silence === undefined) this.#recover()
    return ['+CMGS: 1', 'OK']
  }

  #answer(command: string): string[] {
    if (command === 'AT+CPIN?') return ['+CPIN: READY', 'OK']
    if (command === 'AT+CREG?') return ['+CREG: 0,1', 'OK']
    if (command === 'AT+CPMS?') {
      const use = `"SM",${this.#stored.size},${total}`
      return [`+CPMS: ${use},${use},${use}`, 'OK']
    }
    if (command === 'AT+CMGL=0' || command === 'AT+CMGL=4') {
      const lines = [...this.#stored].sort(([one], [other]) => one - other)
      const print = ([place, pdu]: [number, string]) =>
        pdu === '' ? [`+CMGL: ${place},2,,1`, '00'] : [`+CMGL: ${place},0,,24`, pdu]
      const listed = lines.filter(([, pdu]) => pdu !== '' || command === 'AT+CMGL=4')
      return [...listed.flatMap(print), 'OK']
    }
    const [, verb, place] = /^AT\+CMG([RD])=(\d+)$/.exec(command) ?? []
    const pdu = this.#stored.get(Number(place))
    if (verb === 'D') {
      if (this.#isFilling) this.#stored.set(Number(place), '')
      else this.#stored.delete(Number(place))
      this.#deliverWaiting()
    }
    if (verb !== 'R') return ['OK']
    return pdu === undefined ? ['+CMS ERROR: 321'] : ['+CMGR: 0,,24', pdu, 'OK']
  }
}

function sendLines(socket: Socket, lines: readonly string[]): void {
  socket.write(lines.map(line => `\r\n${line}\r\n`).join(''), 'latin1')
}
