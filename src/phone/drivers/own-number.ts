import { toCanonicalNumber } from '../../domain/sms/phone-number.js'
import { RelayError } from '../../errors.js'
import type { Driver } from '../driver-port/driver.js'

/**
 * Adds our number, the option `number`, to received texts for which the driver does not know it.
 * Throws `usage` for an invalid number.
 */
export function addOwnNumber(driver: Driver, typed: string): Driver {
  const to = parseOwnNumber(typed)
  const listen = driver.listen?.bind(driver)
  driver.listen = listener =>
    listen?.({ ...listener, onText: text => listener.onText({ to, ...text }) })
  return driver
}

function parseOwnNumber(typed: string): string {
  const number = toCanonicalNumber(typed, '') ?? typed.replace(/[\s().\-/]/g, '')
  if (/^\+?\d{3,20}$/.test(number)) return number
  const rule = 'must be a phone number, such as +12025550100'
  throw new RelayError('usage', `number ${rule}; not "${typed}".`)
}
