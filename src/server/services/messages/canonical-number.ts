import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'

/**
 * For all services: the canonical form of a phone number. Throws `invalid_parameter` for one that
 * cannot be dialled.
 * @param country ISO 3166 code of the country in which a national number is read
 * @param field the name of the number in the error
 */
export function requireCanonicalNumber(number: string, country: string, field: string): string {
  const canonical = toCanonicalNumber(number, country)
  if (canonical !== undefined) return canonical
  throw invalidNumberError(number, field)
}

export function invalidNumberError(number: string, field: string): RelayError {
  return new RelayError(
    'invalid_parameter',
    `${field} ${number} is not a phone number that can be dialled; ` +
      'use the international form, such as +12025550123.',
  )
}
