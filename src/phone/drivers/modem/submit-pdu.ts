import { encodeSeptets, packSeptets } from '../../../domain/sms/gsm-alphabet.js'
import {
  countFillBits,
  encodePartHeader,
  type PartPosition,
} from '../../../domain/sms/part-header.js'
import type { SmsPart } from '../../../domain/sms/sms-parts.js'
import { encodeUcs2 } from '../../../domain/sms/ucs-2.js'

/** A PDU of one SMS part for AT+CMGS (3GPP TS 27.005 section 4.3). */
interface SubmitPdu {
  /** Octets of the PDU without the service centre's address. */
  readonly length: number
  /** PDU in hexadecimal; begins with the service centre's address (empty: that of the SIM). */
  readonly hex: string
}

interface SubmitOptions {
  readonly report?: boolean
  readonly hasLongReference?: boolean
  readonly flash?: boolean | undefined
}

const submitType = 0x01
const reportFlag = 0x20
const headerFlag = 0x40
const codings = { 'GSM-7': 0x00, 'UCS-2': 0x08 } as const
/** A message class, which is 0 (3GPP TS 23.038 section 4). */
const flashFlag = 0x10

/**
 * Encodes an SMS part as SMS-SUBMIT (3GPP TS 23.040 section 9.2.2.2). `destination` has digits,
 * with `+` in front if it is international.
 */
export function encodeSubmitPdu(
  destination: string,
  part: SmsPart,
  position: PartPosition,
  { report = false, hasLongReference = false, flash = false }: SubmitOptions = {},
): SubmitPdu {
  const header = encodePartHeader(position, part.tables, hasLongReference)
  const kind = submitType | (report ? reportFlag : 0) | (header.length > 0 ? headerFlag : 0)
  const octets = [
    kind,
    0,
    ...encodeAddress(destination),
    0,
    codings[part.alphabet] | (flash ? flashFlag : 0),
    ...encodeUserData(part, header),
  ]
  return { length: octets.length, hex: `00${Buffer.from(octets).toString('hex').toUpperCase()}` }
}

/**
 * Length and user data of an SMS-SUBMIT; in GSM-7 the text begins at a septet boundary after the
 * header.
 */
function encodeUserData({ alphabet, text, tables }: SmsPart, header: Uint8Array): number[] {
  if (alphabet === 'UCS-2') {
    const octets = encodeUcs2(text)
    return [header.length + octets.length, ...header, ...octets]
  }
  const septets = encodeSeptets(text, tables)
  const headerSeptets = Math.ceil((header.length * 8) / 7)
  const packed = packSeptets(septets, countFillBits(header.length))
  return [headerSeptets + septets.length, ...header, ...packed]
}

function encodeAddress(destination: string): number[] {
  const international = destination.startsWith('+')
  const digits = destination.replace(/\D/g, '')
  const pairs = `${digits}${digits.length % 2 === 0 ? '' : 'f'}`.match(/../g) ?? []
  const swapped = pairs.map(([low = '', high = '']) => Number.parseInt(high + low, 16))
  return [digits.length, international ? 0x91 : 0x81, ...swapped]
}
