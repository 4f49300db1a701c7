import { toCanonicalNumber } from '../sms/phone-number.js'

/** A number of a table as it can be used, or what is wrong with it. */
export type ParsedNumber = { readonly number: string } | { readonly problem: string }

/** 4.91512E+11, with the comma of other countries, too. */
const rounded = /^[+-]?\d+(?:[.,]\d+)?E\+?\d+$/i
const dialled = /^\+?[\d\s().\-/]{1,64}$/
/** From so many digits on a number without + is no national one. */
const minInternationalDigits = 12

/**
 * Reads a number as tables have them. National numbers are read in `country` (ISO 3166 code); where that is not known
 * they are taken as they are, and the service decides.
 */
export function parseBulkNumber(text: string, country: string | undefined): ParsedNumber {
  if (text === '') return { problem: 'the number is missing' }
  if (rounded.test(text)) {
    return {
      problem:
        `a spreadsheet has rounded the number to ${text} and its digits are lost; ` +
        'make the column text and enter it again',
    }
  }
  if (!dialled.test(text)) return { problem: `"${text.slice(0, 40)}" is not a phone number` }
  const number = toCanonical(text, country)
  if (number !== undefined) return { number }
  const digits = text.replace(/\D/g, '')
  if (!text.startsWith('+') && toCanonicalNumber(`+${digits}`, 'US') !== undefined) {
    return { problem: `${text} has lost its "+": spreadsheets take it off; make the column text` }
  }
  return { problem: `${text} is not a number that can be dialled` }
}

function toCanonical(text: string, country: string | undefined): string | undefined {
  if (country !== undefined) return toCanonicalNumber(text, country)
  if (text.startsWith('+')) return toCanonicalNumber(text, 'US')
  const digits = text.replace(/\D/g, '')
  if (digits.length < 3 || digits.length > 15) return undefined
  return digits.length < minInternationalDigits || digits.startsWith('0') ? digits : undefined
}
