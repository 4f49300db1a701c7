import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/** What becomes of a text to a test number (SPEC.md section 1). */
export type TestOutcome = 'success' | 'failure'

/** A number of North America as it is dialled from abroad, its own canonical form; reading one takes long. */
const northAmerican = /^\+1[2-9]\d{9}$/

/**
 * The canonical form of a destination: E.164, or bare digits for short codes and test numbers; undefined
 * when it cannot be dialled. National numbers are read in `country` (ISO 3166 code).
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

/** What is read of a number may be read otherwise again, where a country's own prefix is left in it: read until it stays. */
function parseUntilStable(text: string, country: CountryCode | undefined): string | undefined {
  const parsed = parsePhoneNumberFromString(text, country)
  if (!parsed?.isPossible()) return undefined
  return parsed.number === text ? text : parseUntilStable(parsed.number, country)
}

/** The fixed outcome of a test number, by its last seven digits; undefined for every other number (SPEC.md section 1). */
export function getTestOutcome(number: string): TestOutcome | undefined {
  const last = number.replace(/\D/g, '').slice(-7)
  if (last === '5551212') return 'success'
  return last === '5551213' ? 'failure' : undefined
}

/** Whether `code` is an ISO 3166 country code whose numbers can be read. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code)
}

function toCountryCode(country: string): CountryCode | undefined {
  return isSupportedCountry(country) ? country : undefined
}
