import { writeMessageBody } from '../../../../src/phone/drivers/smpp/pdu/message-body.js'
import { commands, type SmppAddress } from '../../../../src/phone/drivers/smpp/pdu/pdu.js'
import type { PduWriter } from '../../../../src/phone/drivers/smpp/pdu/pdu-writer.js'

interface Receipt {
  readonly id: string
  /** The recipient of the text. */
  readonly source: SmppAddress
}

const noAddress: SmppAddress = { ton: 0, npi: 0, address: '' }
const receiptClass = 0x04

/** Receipts of an SMSC, each sent until it is acknowledged; every third one is sent twice. */
export class SmscReceipts {
  readonly #open = new Map<string, Receipt>()
  readonly #sent = new Map<number, string>()
  #count = 0
  #sequence = 0

  /** Receipts that were not acknowledged. */
  get openCount(): number {
    return this.#open.size
  }

  /** The id of another part. */
  createId(): string {
    this.#count += 1
    return `part-${this.#count}`
  }

  /** Sends the receipt of a part, which stays open until it is acknowledged. */
  send(id: string, source: SmppAddress, writer: PduWriter): void {
    const receipt = { id, source }
    this.#open.set(id, receipt)
    this.#write(receipt, writer)
    if (this.#count % 3 === 0) this.#write(receipt, writer)
  }

  /** Sends all open receipts again, to a client that has just bound. */
  repeat(writer: PduWriter): void {
    for (const receipt of this.#open.values()) this.#write(receipt, writer)
  }

  acknowledge(sequence: number): void {
    const id = this.#sent.get(sequence)
    if (id !== undefined) this.#open.delete(id)
  }

  #write({ id, source }: Receipt, writer: PduWriter): void {
    this.#sequence += 1
    this.#sent.set(this.#sequence, id)
    writer.begin(commands.deliver_sm, 0, this.#sequence)
    writeMessageBody(writer, {
      ...{ source, destination: noAddress, esmClass: receiptClass, serviceType: '' },
      ...{ protocolId: 0, priorityFlag: 0, scheduleDeliveryTime: '', validityPeriod: '' },
      ...{ registeredDelivery: 0, dataCoding: 0, tlvs: [] },
      shortMessage: Buffer.from(`id:${id} sub:001 dlvrd:001 stat:DELIVRD err:000 text:`),
    })
    writer.end()
  }
}
