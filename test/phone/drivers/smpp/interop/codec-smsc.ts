import { createServer, type Socket } from 'node:net'
import {
  type MessageBody,
  readMessageBody,
  writeMessageBody,
} from '../../../../../src/phone/drivers/smpp/pdu/message-body.js'
import { commands, type Pdu, responseBit } from '../../../../../src/phone/drivers/smpp/pdu/pdu.js'
import { PduReader } from '../../../../../src/phone/drivers/smpp/pdu/pdu-reader.js'
import { PduWriter } from '../../../../../src/phone/drivers/smpp/pdu/pdu-writer.js'
import { parseDeliverSm } from '../../../../../src/phone/drivers/smpp/text/deliver-sm.js'
import { listen } from '../smpp-line.js'
import { contentSettings } from '../smsc.js'

/** A text that the SMSC got. */
interface SubmittedText {
  readonly to: string
  readonly text: string
}

/** An SMSC with the codec of the driver, for ESMEs that are other programs. */
export class CodecSmsc {
  readonly submitted: SubmittedText[] = []
  readonly requests: Pdu[] = []
  readonly responses: Pdu[] = []
  port = 0
  readonly #sockets = new Set<Socket>()
  readonly #writer = new PduWriter()

  static async start(): Promise<CodecSmsc> {
    const smsc = new CodecSmsc()
    const { port } = await listen(createServer(socket => smsc.#serve(socket)))
    smsc.port = port
    return smsc
  }

  /** Delivers a text to the ESME. */
  deliver(body: MessageBody, sequence: number): void {
    this.#writer.begin(commands.deliver_sm, 0, sequence)
    writeMessageBody(this.#writer, body)
    this.#writer.end()
    const octets = this.#writer.take()
    for (const socket of this.#sockets) socket.write(octets)
  }

  #serve(socket: Socket): void {
    const reader = new PduReader()
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      reader.read(chunk, pdu => this.#handle(pdu))
      if (this.#writer.length > 0) socket.write(this.#writer.take())
    })
  }

  #handle(pdu: Pdu): void {
    const { command, sequence } = pdu
    if (command >= responseBit) {
      this.responses.push(pdu)
      return
    }
    this.requests.push(pdu)
    if (command === commands.submit_sm) this.#accept(pdu)
    this.#writer.begin(command + responseBit, 0, sequence)
    if (command === commands.submit_sm) this.#writer.cString(`id${this.submitted.length}`)
    else if (command !== commands.enquire_link && command !== commands.unbind) {
      this.#writer.cString('codec')
    }
    this.#writer.end()
  }

  #accept(pdu: Pdu): void {
    const { destination } = readMessageBody(pdu.body)
    const { text } = parseDeliverSm(pdu, contentSettings).text
    this.submitted.push({ to: destination.address, text })
  }
}
