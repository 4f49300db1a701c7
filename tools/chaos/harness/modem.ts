import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A modem on a TCP port whose SIM receives texts; it sends none. */
export class Modem {
  /** Every text that arrived at the SIM, in order. */
  readonly texts: string[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** PDUs by their position on the SIM. */
  readonly #stored = new Map<number, string>()

  constructor() {
    this.#server = createServer({ noDelay: true }, socket => this.#serve(socket))
  }

  /** Texts that no phone has deleted yet. */
  get storedCount(): number {
    return this.#stored.size
  }

  /** Resolves to the device name for a phone. */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Closes the server and every connection. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Stores a text in the first free position, like a SIM, and notifies the phones. */
  storeText(text: string): void {
    let place = 1
    while (this.#stored.has(place)) place += 1
    this.#stored.set(place, encodeDeliverPdu(text, this.texts.length))
    this.texts.push(text)
    for (const socket of this.#sockets) sendLines(socket, [`+CMTI: "SM",${place}`])
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
    let rest = ''
    socket.setEncoding('latin1').on('data', (more: string) => {
      const commands = (rest + more).split('\r')
      rest = commands.pop() ?? ''
      for (const command of commands) sendLines(socket, this.#answer(command))
    })
  }

  #answer(command: string): string[] {
    if (command === 'AT+CPIN?') return ['+CPIN: READY', 'OK']
    if (command === 'AT+CMGL=4') {
      const lines = [...this.#stored].sort(([one], [other]) => one - other)
      return [...lines.flatMap(([place, pdu]) => [`+CMGL: ${place},0,,24`, pdu]), 'OK']
    }
    const [, verb, place] = /^AT\+CMG([RD])=(\d+)$/.exec(command) ?? []
    const pdu = this.#stored.get(Number(place))
    if (verb === 'D') this.#stored.delete(Number(place))
    if (verb !== 'R') return ['OK']
    return pdu === undefined ? ['+CMS ERROR: 321'] : ['+CMGR: 0,,24', pdu, 'OK']
  }
}

function sendLines(socket: Socket, lines: readonly string[]): void {
  socket.write(lines.map(line => `\r\n${line}\r\n`).join(''), 'latin1')
}

const sender = '12025550199'
const firstSecond = Date.UTC(2026, 0, 1)

/** An SMS-DELIVER in UCS-2 (3GPP TS 23.040 section 9.2.2.1). Text `n` arrived in second `n`. */
function encodeDeliverPdu(text: string, n: number): string {
  const time = new Date(firstSecond + n * 1000).toISOString().replace(/\D/g, '').slice(2, 14)
  const data = Buffer.from(text, 'utf16le').swap16()
  const octets = Buffer.from([data.length]).toString('hex') + data.toString('hex')
  return `00040b91${swapDigits(`${sender}f`)}0008${swapDigits(time)}00${octets}`.toUpperCase()
}

function swapDigits(digits: string): string {
  return digits.replace(/(.)(.)/g, '$2$1')
}
