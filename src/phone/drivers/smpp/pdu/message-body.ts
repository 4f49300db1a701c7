import { PduError, type SmppAddress, type Tlv } from './pdu.js'
import type { PduWriter } from './pdu-writer.js'

/** The body of a submit_sm or deliver_sm (SMPP 3.4 sections 4.4.1 and 4.6.1). */
export interface MessageBody {
  readonly serviceType: string
  readonly source: SmppAddress
  readonly destination: SmppAddress
  readonly esmClass: number
  readonly protocolId: number
  readonly priorityFlag: number
  readonly scheduleDeliveryTime: string
  readonly validityPeriod: string
  readonly registeredDelivery: number
  readonly dataCoding: number
  /** At most 254 octets. */
  readonly shortMessage: Uint8Array
  readonly tlvs: readonly Tlv[]
}

const noTlvs: readonly Tlv[] = []

export function writeMessageBody(writer: PduWriter, body: MessageBody): void {
  writer.cString(body.serviceType)
  writeAddress(writer, body.source)
  writeAddress(writer, body.destination)
  writer.uint8(body.esmClass)
  writer.uint8(body.protocolId)
  writer.uint8(body.priorityFlag)
  writer.cString(body.scheduleDeliveryTime)
  writer.cString(body.validityPeriod)
  writer.uint8(body.registeredDelivery)
  writer.uint8(0) // replace_if_present_flag
  writer.uint8(body.dataCoding)
  writer.uint8(0) // sm_default_msg_id
  writer.uint8(body.shortMessage.length)
  writer.octets(body.shortMessage)
  for (const { tag, value } of body.tlvs) {
    writer.uint16(tag)
    writer.uint16(value.length)
    writer.octets(value)
  }
}

/** Reads the body of a submit_sm or deliver_sm. Throws {@link PduError}. */
export function readMessageBody(body: Buffer): MessageBody {
  const fields = new BodyReader(body)
  return {
    serviceType: fields.cString(),
    source: readAddress(fields),
    destination: readAddress(fields),
    esmClass: fields.uint8(),
    protocolId: fields.uint8(),
    priorityFlag: fields.uint8(),
    scheduleDeliveryTime: fields.cString(),
    validityPeriod: fields.cString(),
    registeredDelivery: fields.uint8(),
    dataCoding: fields.uint8(1),
    shortMessage: fields.octets(fields.uint8(1)),
    tlvs: fields.tlvs(),
  }
}

/** Reads the body of a data_sm (SMPP 3.4 section 4.7.1). Throws {@link PduError}. */
export function readDataBody(body: Buffer): MessageBody {
  const fields = new BodyReader(body)
  return {
    serviceType: fields.cString(),
    source: readAddress(fields),
    destination: readAddress(fields),
    esmClass: fields.uint8(),
    protocolId: 0,
    priorityFlag: 0,
    scheduleDeliveryTime: '',
    validityPeriod: '',
    registeredDelivery: fields.uint8(),
    dataCoding: fields.uint8(),
    shortMessage: body.subarray(0, 0),
    tlvs: fields.tlvs(),
  }
}

/** Reads the message_id of a submit_sm_resp; some SMSCs omit the NUL, or the whole body. */
export function readMessageId(body: Buffer): string {
  const end = body.indexOf(0)
  return body.toString('latin1', 0, end < 0 ? body.length : end)
}

export function findTlv(tlvs: readonly Tlv[], tag: number): Uint8Array | undefined {
  for (const each of tlvs) if (each.tag === tag) return each.value
  return undefined
}

function writeAddress(writer: PduWriter, { ton, npi, address }: SmppAddress): void {
  writer.uint8(ton)
  writer.uint8(npi)
  writer.cString(address)
}

function readAddress(fields: BodyReader): SmppAddress {
  const ton = fields.uint8()
  const npi = fields.uint8()
  return { ton, npi, address: fields.cString() }
}

class BodyReader {
  readonly #body: Buffer
  #at = 0

  constructor(body: Buffer) {
    this.#body = body
  }

  /** Reads an octet after so many others. */
  uint8(skipped = 0): number {
    const value = this.#body[this.#at + skipped]
    if (value === undefined) throw new PduError('The body of a PDU ends too early.')
    this.#at += skipped + 1
    return value
  }

  cString(): string {
    const end = this.#body.indexOf(0, this.#at)
    if (end < 0) throw new PduError('A text in a PDU has no end.')
    const text = end === this.#at ? '' : this.#body.toString('latin1', this.#at, end)
    this.#at = end + 1
    return text
  }

  octets(count: number): Buffer {
    if (this.#at + count > this.#body.length) {
      throw new PduError('The body of a PDU ends too early.')
    }
    this.#at += count
    return this.#body.subarray(this.#at - count, this.#at)
  }

  /** Reads optional parameters; octets after the last complete one are ignored. */
  tlvs(): readonly Tlv[] {
    const body = this.#body
    if (this.#at + 4 > body.length) return noTlvs
    const all: Tlv[] = []
    while (this.#at + 4 <= body.length) {
      const end = this.#at + 4 + body.readUInt16BE(this.#at + 2)
      if (end > body.length) break
      all.push({ tag: body.readUInt16BE(this.#at), value: body.subarray(this.#at + 4, end) })
      this.#at = end
    }
    return all
  }
}
