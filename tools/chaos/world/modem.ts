import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A modem on a port of loopback that receives texts and sends none. */
export class Modem {
  /** All received texts, in order. */
  readonly texts: string[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Stored texts by index. */
  readonly #stored = new Map<number, string>()

  constructor() {
    this.#server = createServer({ noDelay: true }, socket => this.#serve(socket))
  }

  /** Texts that are not deleted. */
  get waiting(): number {
    return this.#stored.size
  }

  /** Listens; resolves to the device name for a phone. */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Closes the modem with all connections. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Stores a text at the first free index, as a SIM card does, and notifies the phone. */
  take(text: string): void {
    let place = 1
    while (this.#stored.has(place)) place += 1
    this.#stored.set(place, deliverPdu(text, this.texts.length))
    this.texts.push(text)
    for (const socket of this.#sockets) say(socket, [`+CMTI: "SM",${place}`])
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
    let rest = ''
    socket.setEncoding('latin1').on('data', (more: string) => {
      const commands = (rest + more).split('\r')
      rest = commands.pop() ?? ''
      for (const command of commands) say(socket, this.#answer(command))
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

function say(socket: Socket, lines: readonly string[]): void {
  socket.write(lines.map(line => `\r\n${line}\r\n`).join(''), 'latin1')
}

const sender = '12025550199'
const firstSecond = Date.UTC(2026, 0, 1)

/** An SMS-DELIVER in UCS-2 (3GPP TS 23.040 section 9.2.2.1), with a time in second n. */
function deliverPdu(text: string, n: number): string {
  const time = new Date(firstSecond + n * 1000).toISOString().replace(/\D/g, '').slice(2, 14)
  const data = Buffer.from(text, 'utf16le').swap16()
  const octets = Buffer.from([data.length]).toString('hex') + data.toString('hex')
  return `00040b91${swapped(`${sender}f`)}0008${swapped(time)}00${octets}`.toUpperCase()
}

function swapped(digits: string): string {
  return digits.replace(/(.)(.)/g, '$2$1')
}
