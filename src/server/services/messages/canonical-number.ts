import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'

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
