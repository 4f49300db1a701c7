import { isNational, readNumber } from '../../../domain/sms/phone-number.js'
import { RelayError } from '../../../errors.js'

export function requireCanonicalNumber(number: string, country: string, field: string): string {
  const read = readNumber(number, country)
  if (!('problem' in read)) {
    if (country !== '' || !isNational(read.number)) return read.number
    const message = `${field} ${number} needs its country code, such as +12025550123.`
    throw new RelayError('invalid_parameter', message)
  }
  throw new RelayError('invalid_parameter', `${field} ${number} ${read.problem}.`)
}
