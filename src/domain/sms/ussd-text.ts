import { decodeSeptets, unpackSeptets } from './gsm-alphabet.js'
import { decodeUcs2 } from './ucs-2.js'

/**
 * The words of a USSD reply, which modems give as they are or in hexadecimal. They are decoded by
 * what they are, because modems are wrong about the coding scheme (3GPP TS 23.038 section 5): it
 * only decides what can be several things. Digits alone stay as they are, unless it is certain.
 * @param isPacked whether the modem takes and gives packed septets
 */
export function decodeUssdText(text: string, coding = 0x0f, isPacked = false): string {
  const hex = text.replace(/[\r\n]+/g, '')
  if (!/^([0-9a-f]{2})+$/i.test(hex)) return decodeRaw(text)
  const octets = Buffer.from(hex, 'hex')
  const said = getDecoder(coding)?.(octets)
  if (said !== undefined && isReadable(said)) return said
  if (isPacked) return decodePacked(octets)
  if (/^\d+$/.test(hex)) return isUcs2Digits(hex) ? decodeUcs2(octets) : text
  return (
    [decodeUtf8, decodeWholeUcs2, decodePacked]
      .map(decode => decode(octets))
      .find(each => each !== undefined && isReadable(each) && isNoCode(each)) ?? text
  )
}

type Decoder = (octets: Buffer) => string | undefined

/** What a coding scheme says that is not the default alphabet; undefined for that. */
function getDecoder(coding: number): Decoder | undefined {
  const hasClass = (coding & 0xc0) === 0x40
  if (coding === 0x11 || (hasClass && (coding & 0x0c) === 0x08)) return decodeWholeUcs2
  return (hasClass && (coding & 0x0c) === 0x04) || (coding & 0xf4) === 0xf4
    ? decodeOctets
    : undefined
}

function decodeWholeUcs2(octets: Buffer): string | undefined {
  return octets.length % 2 === 0 ? decodeUcs2(octets) : undefined
}

function decodeUtf8(octets: Buffer): string | undefined {
  const text = octets.toString('utf8')
  return text.includes('\ufffd') ? undefined : text
}

function decodeOctets(octets: Buffer): string {
  return decodeUtf8(octets) ?? octets.toString('latin1')
}

/** Seven bits that are left over may be padding (3GPP TS 23.038 section 6.1.2.3.1). */
function decodePacked(octets: Buffer): string {
  const septets = unpackSeptets(octets, Math.floor((octets.length * 8) / 7))
  return decodeSeptets(septets).replace(/[\r@]$/, '')
}

/** A line that was read as latin1 may be UTF-8, or septets of the default alphabet. */
function decodeRaw(text: string): string {
  if (/[^\u0000-\u00ff]/.test(text)) return text
  const octets = Buffer.from(text, 'latin1')
  const isDefault = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/.test(text)
  if (isDefault && octets.every(each => each < 0x80)) return decodeSeptets(octets)
  return decodeUtf8(octets) ?? text
}

/** `00310032` is 12; any other digits could be anything. */
function isUcs2Digits(digits: string): boolean {
  return /^(00[2-7]\d){2,}$/.test(digits)
}

/** The scripts of a text, beside Latin: one of these rows. */
const scripts = [
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek'],
  ...['Gujarati', 'Gurmukhi', 'Hangul', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam'],
  ...['Myanmar', 'Sinhala', 'Tamil', 'Telugu', 'Thai'],
  'Han}\\p{Script=Hiragana}\\p{Script=Katakana',
].map(script => new RegExp(`^[\\p{Script=Latin}\\p{Script=${script}}\\P{L}]*$`, 'u'))
const words = /[\p{L}\p{M}\p{N}\p{Zs}\r\n.,:;!?*#%()/+-]/u

/** Whether decoded octets are a text: printable, mostly words, of Latin and one other script. */
function isReadable(text: string): boolean {
  if (/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\r\n\t]/u.test(text)) return false
  const characters = [...text]
  if (characters.filter(each => words.test(each)).length < characters.length * 0.8) return false
  return scripts.some(script => script.test(text)) && !isMixed(text)
}

/** A short reply such as BEEF or A1B2C3D4 may be a code, unless its decoded form has a number. */
function isNoCode(decoded: string): boolean {
  return decoded.length >= 5 || /[ \d]/.test(decoded)
}

/** Septets that are none have Greek capitals beside small Latin letters. */
function isMixed(text: string): boolean {
  return /\p{Script=Greek}/u.test(text) && /[a-zà-ÿ]/.test(text)
}
