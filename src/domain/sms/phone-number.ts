import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/** The fixed outcome of a message to a test number (docs/reference/interface.md 1). */
export type TestOutcome = 'success' | 'failure'

/** E.164 numbers of North America are canonical as they are; parsing them would be slow. */
const northAmerican = /^\+1[2-9]\d{9}$/

/**
 * The canonical form of a phone number: E.164, or plain digits for short codes and test numbers.
 * Undefined if it cannot be dialled. `country` (ISO 3166) is the country of national numbers.
 */
export function toCanonicalNumber(destination: string, country: string): string | undefined {
  if (northAmerican.test(destination)) return destination
  if (!/^\+?[\d\s().\-/]+$/.test(destination)) return undefined
  const digits = destination.replace(/\D/g, '')
  const international = destination.trim().startsWith('+')
  if (getTestOutcome(digits) !== undefined) return international ? `+${digits}` : digits
  if (!international && digits.length >= 3 && digits.length <= 6) return digits
  return parseUntilStable(destination, toCountryCode(country))
}

/**
 * A parsed phone number may still contain a national prefix, so it is parsed again until it is
 * stable.
 */
function parseUntilStable(text: string, country: CountryCode | undefined): string | undefined {
  const parsed = parsePhoneNumberFromString(text, country)
  if (!parsed?.isPossible()) return undefined
  return parsed.number === text ? text : parseUntilStable(parsed.number, country)
}

/** The outcome of a test number, by its last seven digits; undefined for every other number. */
export function getTestOutcome(number: string): TestOutcome | undefined {
  const last = number.replace(/\D/g, '').slice(-7)
  if (last === '5551212') return 'success'
  return last === '5551213' ? 'failure' : undefined
}

export function isCountry(code: string): boolean {
  return isSupportedCountry(code)
}

function toCountryCode(country: string): CountryCode | undefined {
  return isSupportedCountry(country) ? country : undefined
}
