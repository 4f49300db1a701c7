import { decodeSeptets, unpackSeptets } from '../../../../domain/sms/gsm-alphabet.js'
import { countFillBits, parseShiftTables } from '../../../../domain/sms/part-header.js'
import { decodeUcs2 } from '../../../../domain/sms/ucs-2.js'
import type { SmppAlphabet, SmppSettings } from '../settings/smpp-settings.js'

type Charset =
  | SmppAlphabet
  | 'octets'
  | 'ucs-2'
  | 'iso-8859-5'
  | 'iso-8859-8'
  | 'shift_jis'
  | 'iso-2022-jp'

const carriageReturn = 0x0d

/** Values of `data_coding` that SMPP defines (SMPP 3.4 section 5.2.19). */
const charsets = new Map<number, Charset | 'euc-kr'>([
  ...([
    [1, 'ascii'],
    [2, 'octets'],
    [3, 'latin-1'],
    [4, 'octets'],
  ] as const),
  ...([
    [5, 'shift_jis'],
    [6, 'iso-8859-5'],
    [7, 'iso-8859-8'],
    [8, 'ucs-2'],
  ] as const),
  ...([
    [10, 'iso-2022-jp'],
    [14, 'euc-kr'],
  ] as const),
])

/** Decodes the octets of a received text after its header, which begins with its length octet. */
export function decodeText(
  octets: Uint8Array,
  dataCoding: number,
  header: Uint8Array,
  settings: Pick<SmppSettings, 'alphabet' | 'dataCoding'>,
): string {
  const isOwn = dataCoding === settings.dataCoding
  const charset = isOwn ? settings.alphabet : getCharset(dataCoding, settings.alphabet)
  const tables = parseShiftTables(header.subarray(1))
  if (charset === 'gsm') return decodeSeptets(octets, tables)
  if (charset === 'gsm-packed') {
    return decodeSeptets(unpackText(octets, countFillBits(header.length)), tables)
  }
  if (charset === 'ucs-2') return decodeUcs2(octets)
  if (charset === 'latin-1' || charset === 'ascii' || charset === 'octets') {
    return Buffer.from(octets).toString('latin1')
  }
  return new TextDecoder(charset).decode(octets)
}

/** Whether a `data_coding` says that the content has no alphabet. */
export function isBinary(
  dataCoding: number,
  settings: Pick<SmppSettings, 'alphabet' | 'dataCoding'>,
): boolean {
  return (
    dataCoding !== settings.dataCoding && getCharset(dataCoding, settings.alphabet) === 'octets'
  )
}

/** The coding groups of 3GPP TS 23.038 section 4 have their alphabet in two bits. */
function getCharset(dataCoding: number, alphabet: SmppAlphabet): Charset | 'euc-kr' {
  const gsm = alphabet === 'gsm-packed' ? alphabet : 'gsm'
  if (dataCoding < 0x10) return charsets.get(dataCoding) ?? gsm
  if (dataCoding >= 0xf0) return (dataCoding & 4) === 0 ? gsm : 'octets'
  if (dataCoding >= 0xe0) return 'ucs-2'
  if (dataCoding >= 0x80) return gsm
  return ([gsm, 'octets', 'ucs-2', gsm] as const)[(dataCoding >> 2) & 3] ?? gsm
}

/** A last septet of CR is padding (3GPP TS 23.038 section 6.1.2.3.1). */
function unpackText(octets: Uint8Array, fill: number): Uint8Array {
  const count = Math.floor((octets.length * 8 - fill) / 7)
  const septets = unpackSeptets(octets, Math.max(count, 0), fill)
  const isFull = (count * 7 + fill) % 8 === 0
  return isFull && septets.at(-1) === carriageReturn ? septets.subarray(0, -1) : septets
}
