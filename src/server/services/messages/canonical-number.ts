import { readNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'

export function requireCanonicalNumber(number: string, country: string, field: string): string {
  const read = readNumber(number, country)
  if (!('problem' in read)) return read.number
  throw new RelayError('invalid_parameter', `${field} ${number} ${read.problem}.`)
}
