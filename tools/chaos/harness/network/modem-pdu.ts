import { decodeSeptets, unpackSeptets } from '../../../../src/domain/sms/gsm-alphabet.js'
import { countFillBits, parsePartHeader } from '../../../../src/domain/sms/part-header.js'
import { decodeUcs2 } from '../../../../src/domain/sms/ucs-2.js'

const sender = '12025550199'
const firstSecond = Date.UTC(2026, 0, 1)
const headerFlag = 0x40
const ucs2 = 0x08

/** A part of a text that a phone sends. */
interface SubmittedPart {
  readonly text: string
  readonly number: number
  readonly count: number
}

/** An SMS-DELIVER in UCS-2 (3GPP TS 23.040 section 9.2.2.1). Text `n` arrived in second `n`. */
export function encodeDeliverPdu(text: string, n: number): string {
  const time = new Date(firstSecond + n * 1000).toISOString().replace(/\D/g, '').slice(2, 14)
  const data = Buffer.from(text, 'utf16le').swap16()
  const octets = Buffer.from([data.length]).toString('hex') + data.toString('hex')
  return `00040b91${swapDigits(`${sender}f`)}0008${swapDigits(time)}00${octets}`.toUpperCase()
}

/** Decodes an SMS-SUBMIT without a validity period (3GPP TS 23.040 section 9.2.2.2). */
export function decodeSubmitPdu(hex: string): SubmittedPart {
  const octets = Buffer.from(hex, 'hex')
  const begin = 1 + (octets[0] ?? 0)
  const type = octets[begin] ?? 0
  const address = Math.ceil((octets[begin + 2] ?? 0) / 2)
  const [, coding = 0, length = 0, ...rest] = octets.subarray(begin + 4 + address)
  const data = Uint8Array.from(rest)
  const header = (type & headerFlag) === 0 ? 0 : (data[0] ?? 0) + 1
  const position = parsePartHeader(data.subarray(1, header)) ?? { number: 1, count: 1 }
  return { ...position, text: decodeText(data, length, header, coding) }
}

function decodeText(data: Uint8Array, length: number, header: number, coding: number): string {
  if (coding === ucs2) return decodeUcs2(data.subarray(header, length))
  const headerSeptets = Math.ceil((header * 8) / 7)
  const fill = header === 0 ? 0 : countFillBits(header)
  return decodeSeptets(unpackSeptets(data.subarray(header), length - headerSeptets, fill))
}

function swapDigits(digits: string): string {
  return digits.replace(/(.)(.)/g, '$2$1')
}
