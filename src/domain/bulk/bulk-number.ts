import { toCanonicalNumber } from '../sms/phone-number.js'

export type ParsedNumber = { readonly number: string } | { readonly problem: string }

/**
 * A number that a spreadsheet rounded, such as 4.91512E+11; some countries have a decimal comma.
 */
const roundedPattern = /^[+-]?\d+(?:[.,]\d+)?E\+?\d+$/i
const numberPattern = /^\+?[\d\s().\-/]{1,64}$/
/** A phone number without + and with at least this many digits is not a national one. */
const minInternationalDigits = 12

/**
 * Parses a phone number of a bulk table. National numbers are read in `country` (ISO 3166 code);
 * without it they stay as they are, and the relay decides.
 */
export function parseBulkNumber(text: string, country: string | undefined): ParsedNumber {
  if (text === '') return { problem: 'the number is missing' }
  if (roundedPattern.test(text)) {
    return {
      problem:
        `a spreadsheet has rounded the number to ${text} and its digits are lost; ` +
        'make the column text and enter it again',
    }
  }
  if (!numberPattern.test(text)) return { problem: `"${text.slice(0, 40)}" is not a phone number` }
  const number = toCanonical(text, country)
  if (number !== undefined) return { number }
  const digits = text.replace(/\D/g, '')
  if (!text.startsWith('+') && toCanonicalNumber(`+${digits}`, 'US') !== undefined) {
    return { problem: `${text} has lost its "+" in a spreadsheet; make the column text` }
  }
  return { problem: `${text} is not a phone number that can be dialled` }
}

function toCanonical(text: string, country: string | undefined): string | undefined {
  if (country !== undefined) return toCanonicalNumber(text, country)
  if (text.startsWith('+')) return toCanonicalNumber(text, 'US')
  const digits = text.replace(/\D/g, '')
  if (digits.length < 3 || digits.length > 15) return undefined
  return digits.length < minInternationalDigits || digits.startsWith('0') ? digits : undefined
}
