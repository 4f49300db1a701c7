import { findNumberWarning, readNumber } from '../sms/phone-number.js'

export type ParsedNumber =
  | { readonly number: string; readonly warning?: string | undefined }
  | { readonly problem: string }

/** Shorter numbers without `+` are national ones, if no country is known. */
const minInternationalDigits = 11

/**
 * Parses a phone number of a bulk table. National numbers are read in `country` (ISO 3166 code);
 * without it they stay as they are, and the relay decides.
 */
export function parseBulkNumber(text: string, country = ''): ParsedNumber {
  if (text === '') return { problem: 'the number is missing' }
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  const read = readNumber(text, country)
  if ('problem' in read) return { problem: `${shown} ${read.problem}` }
  const { number, isForeign = false } = read
  const mayBeNational = country === '' && number.length < minInternationalDigits
  if (!isForeign || mayBeNational) return { number, warning: findNumberWarning(number) }
  return { problem: `${shown} has lost its "+" in a spreadsheet; make the column text` }
}
