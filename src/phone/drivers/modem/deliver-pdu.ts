import { decodeSeptets, unpackSeptets } from '../../../domain/sms/gsm-alphabet.js'
import {
  countFillBits,
  type PartPosition,
  parsePartHeader,
  parsePort,
  parseShiftTables,
} from '../../../domain/sms/part-header.js'
import { findServiceUse } from '../../../domain/sms/service-sms.js'
import type { SmsAlphabet } from '../../../domain/sms/sms-parts.js'
import { decodeUcs2 } from '../../../domain/sms/ucs-2.js'
import { parseDateTime } from '../../../domain/time/date-time.js'
import type { DeliveryReceipt } from '../../driver-port/driver.js'
import { createNetworkId } from '../../driver-port/network-id.js'

/** A received text, or a part of one (SMS-DELIVER, 3GPP TS 23.040 section 9.2.2.1). */
interface DeliveredText {
  readonly kind: 'text'
  readonly from: string
  readonly text: string
  /** When the SMS service centre got the text, in milliseconds since the epoch; 0 if unknown. */
  readonly at: number
  readonly part?: PartPosition
  readonly isData?: true
  readonly port?: number
}

/** An SMS that is for the phone or the SIM. */
interface ServiceSms {
  readonly kind: 'service'
  readonly from: string
  readonly content: string
}

/** A receipt for a sent part (SMS-STATUS-REPORT, 3GPP TS 23.040 section 9.2.2.3). */
interface StatusReport {
  readonly kind: 'report'
  /** The reference that the modem gave the part when it was sent. */
  readonly reference: number
  readonly to: string
  readonly state: DeliveryReceipt['state']
  /** When the service centre settled the part, in milliseconds since the epoch. */
  readonly at: number
  /** TP-Status of the receipt (3GPP TS 23.040 section 9.2.3.15). */
  readonly status: number
}

export function decodeDeliverPdu(hex: string): DeliveredText | ServiceSms | StatusReport {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new Error('The PDU is not hexadecimal.')
  const reader = new PduReader(Buffer.from(hex, 'hex'))
  reader.readOctets(reader.readOctet())
  const first = reader.readOctet()
  const type = first & 0x03
  if (type === 0) return readDeliver(reader, (first & 0x40) !== 0)
  if (type === 2) return readStatusReport(reader)
  throw new Error(`The PDU has type ${type}, which a modem does not receive.`)
}

function readDeliver(reader: PduReader, hasHeader: boolean): DeliveredText | ServiceSms {
  const from = reader.readAddress()
  const protocolId = reader.readOctet()
  const dataCoding = reader.readOctet()
  const coding = getAlphabet(dataCoding)
  const at = reader.readTime()
  const length = reader.readOctet()
  const data = reader.readRest()
  const header = hasHeader ? data.subarray(0, 1 + (data[0] ?? 0)) : data.subarray(0, 0)
  const elements = header.subarray(1)
  const part = parsePartHeader(elements)
  const port = parsePort(elements)
  const octets = coding === 'GSM-7' ? Math.ceil((length * 7) / 8) : length
  if (data.length < octets) throw new Error('The PDU ends too early.')
  const text = decodeUserData(data, length, coding, header)
  const content = findServiceUse({ protocolId, dataCoding, elements, text })
  if (content !== undefined && part === undefined) return { kind: 'service', from, content }
  return {
    ...{ kind: 'text', from, text, at },
    ...(part && { part }),
    ...(coding === 'octets' ? { isData: true } : {}),
    ...(port === undefined ? {} : { port }),
  }
}

function readStatusReport(reader: PduReader): StatusReport {
  const reference = reader.readOctet()
  const to = reader.readAddress()
  reader.readTime()
  const at = reader.readTime()
  const status = reader.readOctet()
  return { kind: 'report', reference, to, state: getDeliveryState(status), at, status }
}

/** The state that a TP-Status means (3GPP TS 23.040 section 9.2.3.15). */
function getDeliveryState(status: number): DeliveryReceipt['state'] {
  if (status < 0x20) return 'delivered'
  if (status < 0x40) return 'pending'
  return status === 0x46 ? 'expired' : 'undelivered'
}

/** The meanings of a TP-Status; 0x20 to 0x3f and 0x60 to 0x7f have the same ones. */
const statusMeanings: Readonly<Record<number, string>> = {
  1: 'forwarded, without a confirmation of the delivery',
  2: 'replaced',
  32: 'congestion',
  33: 'recipient busy',
  34: 'no response from the recipient',
  35: 'service rejected',
  36: 'quality of service not available',
  37: 'error of the recipient',
  64: 'error in the network',
  65: 'incompatible destination',
  66: 'rejected by the recipient',
  67: 'not obtainable',
  68: 'quality of service not available',
  69: 'no interworking available',
  70: 'validity period expired',
  71: 'deleted by the sender',
  72: 'deleted by the service centre',
  73: 'the text does not exist',
}

export function toReceipt({ to, state, at, reference, status }: StatusReport): DeliveryReceipt {
  const meaning = statusMeanings[status >= 0x60 ? status - 0x40 : status]
  const reason = `status ${status}${meaning === undefined ? '' : ` (${meaning})`}`
  const networkId = createNetworkId(to, reference)
  return { to, state, at, networkId, ...(status === 0 ? {} : { reason }) }
}

type Alphabet = SmsAlphabet | 'octets'

/** The alphabet of a data coding scheme (3GPP TS 23.038 section 4). */
function getAlphabet(coding: number): Alphabet {
  if (coding < 0x80)
    return (['GSM-7', 'octets', 'UCS-2', 'GSM-7'] as const)[(coding >> 2) & 3] ?? 'GSM-7'
  if (coding >> 4 === 0xe) return 'UCS-2'
  if (coding >> 4 === 0xf) return (coding & 4) === 0 ? 'GSM-7' : 'octets'
  return 'GSM-7'
}

function decodeUserData(data: Buffer, length: number, alphabet: Alphabet, header: Buffer): string {
  if (alphabet === 'GSM-7') {
    const count = Math.max(length - Math.ceil((header.length * 8) / 7), 0)
    const fill = countFillBits(header.length)
    const septets = unpackSeptets(data.subarray(header.length), count, fill)
    return decodeSeptets(septets, parseShiftTables(header.subarray(1)))
  }
  const octets = data.subarray(header.length, length)
  if (alphabet === 'octets') return octets.toString('latin1')
  return decodeUcs2(octets)
}

class PduReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  readOctet(): number {
    return this.readOctets(1)[0] ?? 0
  }

  readOctets(count: number): Buffer {
    const octets = this.#bytes.subarray(this.#at, this.#at + count)
    if (octets.length < count) throw new Error('The PDU ends too early.')
    this.#at += count
    return octets
  }

  readRest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  /** Reads an address of a PDU, which may be a name (3GPP TS 23.040 section 9.1.2.5). */
  readAddress(): string {
    const length = this.readOctet()
    const type = this.readOctet()
    const value = this.readOctets(Math.ceil(length / 2))
    if ((type & 0x70) === 0x50)
      return decodeSeptets(unpackSeptets(value, Math.floor((length * 4) / 7)))
    const digits = swapNibbles(value).slice(0, length)
    return `${(type & 0x70) === 0x10 ? '+' : ''}${digits}`
  }

  /**
   * Reads a time stamp of a PDU, in milliseconds since the epoch; 0 if it is no date (3GPP TS
   * 23.040 section 9.2.3.11).
   */
  readTime(): number {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zone = 0] = [
      ...this.readOctets(7),
    ]
    const [date, time] = [
      [year, month, day],
      [hour, minute, second],
    ].map(octets => octets.map(swapDigits))
    const local = parseDateTime(`20${date?.join('-')} ${time?.join(':')}`)
    const quarters = Number(swapDigits(zone & ~0x08)) * ((zone & 0x08) === 0 ? 1 : -1)
    if (local === undefined || !(Math.abs(quarters) <= maxQuarters)) return 0
    return local - quarters * 15 * 60_000
  }
}

/** Quarters of an hour between UTC and a time zone, at most. */
const maxQuarters = 56

function swapDigits(octet: number): string {
  return `${(octet & 0x0f).toString(16)}${(octet >> 4).toString(16)}`
}

function swapNibbles(octets: Buffer): string {
  const digits = '0123456789*#abc'
  return [...octets].map(each => (digits[each & 15] ?? '') + (digits[each >> 4] ?? '')).join('')
}
