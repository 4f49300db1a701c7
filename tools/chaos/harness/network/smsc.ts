import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { readMessageBody } from '../../../../src/phone/drivers/smpp/pdu/message-body.js'
import { commands, type Pdu, responseBit } from '../../../../src/phone/drivers/smpp/pdu/pdu.js'
import { PduReader } from '../../../../src/phone/drivers/smpp/pdu/pdu-reader.js'
import { PduWriter } from '../../../../src/phone/drivers/smpp/pdu/pdu-writer.js'
import { parseDeliverSm } from '../../../../src/phone/drivers/smpp/text/deliver-sm.js'
import { listenOnLoopback } from '../../../ports/listen-on-loopback.js'
import type { NetworkSend } from './network-sends.js'
import { SmscReceipts } from './smsc-receipts.js'

/**
 * What the SMSC does from the next submit_sm on: it accepts or loses the parts and responds to
 * nothing; or, after `count` parts that it accepts or loses in turn, cuts the connection. With
 * `receipt`, it does that instead of reading the acknowledgement of a receipt with that number.
 */
export type SmscFault =
  | { readonly kind: 'silent'; readonly accepts: boolean; readonly count: number }
  | { readonly kind: 'cut' | 'receipt'; readonly count: number }

interface Connection {
  readonly socket: Socket
  readonly writer: PduWriter
  isCut: boolean
  /** The `system_type` of its bind: the process of the phone. */
  life: string
}

interface Part {
  readonly text: string
  readonly isAnswered: boolean
}

const alphabet = { alphabet: 'gsm', dataCoding: 0 } as const

/** An SMSC on a TCP port that records the texts that it sends, and may fall silent. */
export class Smsc {
  /** Every text of which all parts were accepted, in order. */
  readonly sends: NetworkSend[] = []
  readonly receipts = new SmscReceipts()
  readonly #server: Server
  readonly #connections = new Set<Connection>()
  /** Parts of texts that are not complete, by recipient and reference. */
  readonly #parts = new Map<string, Part[]>()
  #fault: SmscFault | undefined
  #unanswered = 0
  #lost = 0
  #endFault: () => void = () => {}

  private constructor() {
    this.#server = createServer({ noDelay: true }, socket => this.#serve(socket))
  }

  /** Texts that it sent, and parts that it lost. */
  get attempts(): number {
    return this.sends.length + this.#lost
  }

  /** Texts of which each part has a response; a receipt follows for each. */
  get delivered(): ReadonlySet<string> {
    return new Set(this.sends.flatMap(each => (each.isAnswered ? [each.text] : [])))
  }

  static async start(): Promise<Smsc> {
    const smsc = new Smsc()
    await listenOnLoopback(smsc.#server)
    return smsc
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Closes the server and every connection. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const { socket } of this.#connections) socket.destroy()
    await closed
  }

  /** Makes a fault; resolves when it is over and a later text was answered. */
  async fail(fault: SmscFault): Promise<void> {
    this.#fault = fault
    this.#unanswered = 0
    await new Promise<void>(resolve => {
      this.#endFault = resolve
    })
  }

  /** Responses before the cut still arrive; later requests are ignored. */
  #cut(): void {
    for (const connection of this.#connections) {
      connection.socket.end(connection.writer.take())
      connection.isCut = true
    }
  }

  #serve(socket: Socket): void {
    const reader = new PduReader()
    const connection: Connection = { socket, writer: new PduWriter(), isCut: false, life: '' }
    const { writer } = connection
    this.#connections.add(connection)
    socket.on('error', () => {}).once('close', () => this.#connections.delete(connection))
    socket.on('data', (chunk: Buffer) => {
      reader.read(chunk, pdu => this.#answer(pdu, connection))
      if (writer.length > 0 && !connection.isCut) socket.write(writer.take())
    })
  }

  #answer(pdu: Pdu, connection: Connection): void {
    const { writer, isCut } = connection
    const { command, sequence } = pdu
    if (isCut) return
    if (command === commands.deliver_sm + responseBit) this.#readAcknowledgement(pdu)
    if (command >= responseBit) return
    const isText = command === commands.submit_sm
    if (isText && !this.#submit(pdu, connection)) return
    const id = isText ? this.receipts.createId() : ''
    // Some receipts arrive before the response.
    const isEarly = sequence % 2 === 0
    if (isText && isEarly) this.#sendReceipt(id, pdu, writer)
    writer.begin(command + responseBit, 0, sequence)
    if (command !== commands.enquire_link && command !== commands.unbind) writer.cString(id)
    writer.end()
    if (isText && !isEarly) this.#sendReceipt(id, pdu, writer)
    if (command !== commands.bind_transceiver) return
    connection.life = pdu.body.toString('latin1').split('\0')[2] ?? ''
    this.receipts.repeat(writer)
  }

  #sendReceipt(id: string, pdu: Pdu, writer: PduWriter): void {
    const { destination, registeredDelivery } = readMessageBody(pdu.body)
    if (registeredDelivery === 1) this.receipts.send(id, destination, writer)
  }

  #readAcknowledgement({ sequence, status }: Pdu): void {
    const fault = this.#fault
    if (fault?.kind !== 'receipt') {
      if (status === 0) this.receipts.acknowledge(sequence)
      return
    }
    this.#unanswered += 1
    if (this.#unanswered < fault.count) return
    this.#fault = undefined
    this.#cut()
  }

  /** Returns whether the part has a response. */
  #submit(pdu: Pdu, { life }: Connection): boolean {
    const fault = this.#fault
    if (fault === undefined || fault.kind === 'receipt') {
      this.#accept(pdu, true, life)
      if (fault === undefined) this.#endFault()
      return true
    }
    this.#unanswered += 1
    const isAccepted = fault.kind === 'silent' ? fault.accepts : this.#unanswered % 2 === 0
    if (isAccepted) this.#accept(pdu, false, life)
    else this.#lost += 1
    if (this.#unanswered >= fault.count) this.#fault = undefined
    if (this.#fault === undefined && fault.kind === 'cut') this.#cut()
    return false
  }

  #accept(pdu: Pdu, isAnswered: boolean, life: string): void {
    const read = parseDeliverSm(pdu, alphabet).text
    const { text, part = { reference: 0, count: 1, number: 1 } } = read
    const { destination } = readMessageBody(pdu.body)
    const key = `${destination.address} ${part.reference}`
    const known = part.number === 1 ? [] : (this.#parts.get(key) ?? [])
    const parts = [...known, { text, isAnswered }]
    this.#parts.set(key, parts)
    if (part.number < part.count || parts.length < part.count) return
    this.#parts.delete(key)
    this.sends.push({
      text: parts.map(each => each.text).join(''),
      isAnswered: parts.every(each => each.isAnswered),
      life,
    })
  }
}
