import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'

/** The fixed outcome of a message to a test number (docs/reference/interface.md 1). */
export type TestOutcome = 'success' | 'failure'

export interface ReadNumber {
  /**
   * The canonical number that lists compare: E.164, or the digits of a short code or test number.
   * The two forms that networks of Argentina, Brazil and Mexico have of one mobile number are one.
   */
  readonly number: string
  /** The number as it was meant, in E.164 form: what a phone dials. */
  readonly dialled: string
  /** Whether the text may have lost its `+`: its digits have a country code, not the account's. */
  readonly isForeign?: boolean
}

/** Why a text is not a number that can be dialled: a phrase for after the text itself. */
export interface NumberProblem {
  readonly problem: string
  /** The possible numbers that the text can mean; the national one first. */
  readonly readings?: readonly string[]
}

/** E.164 numbers of North America are canonical as they are; parsing them would be slow. */
const northAmerican = /^\+1[2-9]\d{9}$/
/** Characters within a number that say nothing: formats, variation selectors, dashes, spaces. */
const ignored =
  /\uFE0E|\uFE0F|[\p{Cf}\u2065\p{Pd}\u2212\u30FC~\u2053\u223C\uFF5E\p{Zs}\t()[\]./（）［］．／]/gu
const notDialledProblem: NumberProblem = {
  problem:
    'is not a phone number that can be dialled; use the international form, such as +12025550123',
}

/**
 * Reads a phone number as people, spreadsheets and networks write it (E.164, ITU-T E.123).
 * @param country ISO 3166 code of the country of national numbers; empty: digits stay as they are
 */
export function readNumber(text: string, country: string): ReadNumber | NumberProblem {
  if (northAmerican.test(text)) return { number: text, dialled: text }
  const cleaned = cleanNumber(text)
  if (typeof cleaned !== 'string') return cleaned
  const digits = cleaned.replace('+', '')
  if (getTestOutcome(digits) !== undefined) return { number: cleaned, dialled: cleaned }
  if (cleaned !== digits) return readInternational(digits)
  if (/^\d{3,6}$/.test(digits)) return { number: digits, dialled: digits }
  return readWithoutPlus(digits, country, text)
}

/**
 * The canonical form of a phone number; undefined if it cannot be dialled. `country` as in
 * {@link readNumber}.
 */
export function toCanonicalNumber(text: string, country: string): string | undefined {
  const read = readNumber(text, country)
  return 'problem' in read ? undefined : read.number
}

/**
 * Why texts may not reach a canonical number: a phrase for after the number. Undefined for numbers
 * of mobile phones, short codes and test numbers.
 */
export function findNumberWarning(number: string): string | undefined {
  if (!number.startsWith('+') || getTestOutcome(number) !== undefined) return undefined
  const known = parseValid(number)
  if (known === undefined) return 'is in no numbering plan that is known; it is sent all the same'
  return known.getType() === 'FIXED_LINE' ? 'is a fixed line, which texts may not reach' : undefined
}

/**
 * The number of a message as a phone dials it: in E.164 form if the relay knows it. `number` is the
 * canonical number, if it is known.
 */
export function getDialledNumber(destination: string, number?: string): string {
  if (number !== undefined && !/^\P{Nd}+/u.test(destination)) return number
  const typed = getTypedNumber(destination)
  return typed.startsWith('+') || number === undefined ? typed : number
}

/** The number of a message as it was typed, without spaces and punctuation. */
export function getTypedNumber(destination: string): string {
  const read = readNumber(destination, '')
  return 'problem' in read ? destination.replace(/[\s().\-/]/g, '') : read.dialled
}

/** Whether a number without `+` is one of a country: no short code and no test number. */
export function isNational(number: string): boolean {
  return /^\d{7,}$/.test(number) && getTestOutcome(number) === undefined
}

/** The outcome of a test number, by its last seven digits; undefined for every other number. */
export function getTestOutcome(number: string): TestOutcome | undefined {
  const last = number.replace(/\D/g, '').slice(-7)
  if (last === '5551212') return 'success'
  return last === '5551213' ? 'failure' : undefined
}

export function isCountry(code: string): code is CountryCode {
  return isSupportedCountry(code)
}

/** The `+` of a text, if any, and its digits. */
function cleanNumber(text: string): string | NumberProblem {
  const plain = text.trim().replace(/\p{Nd}/gu, toAsciiDigit)
  if (/^[+-]?\d+(?:[.,]\d+)?E\+?\d+$/i.test(plain)) {
    const problem =
      'has been rounded by a spreadsheet, and its digits are lost; ' +
      'make the column text and enter the number again'
    return { problem }
  }
  // A spreadsheet or a program has made the number a decimal one.
  const whole = plain.replace(/^(\+?\d{7,})[.,]0+$/, '$1')
  const cleaned = whole.replace(ignored, '').replace(/^[＋﹢]/, '+')
  if (/^\+?\d+$/.test(cleaned)) return cleaned
  return notDialledProblem
}

/** Digits of every script; each has ten in a row, or compatible ones. */
function toAsciiDigit(digit: string): string {
  if (digit <= '9') return digit
  const compatible = digit.normalize('NFKC')
  if (/^\d$/.test(compatible)) return compatible
  const code = digit.codePointAt(0) as number
  let zero = code
  while (zero > code - 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

/** Numbers of machines and of new ranges are longer or newer than the numbering plans say. */
function readInternational(digits: string): ReadNumber | NumberProblem {
  const parsed = parse(`+${digits}`)
  if (parsed === undefined || digits.length < 7 || digits.length > 15) return notDialledProblem
  return toReadNumber(parsed.isValid() ? parsed.number : `+${digits}`)
}

/**
 * Reads digits without `+` as a national number, or with the country code of the account or another
 * country. A number that has two readings is refused, so that no text reaches a stranger.
 */
function readWithoutPlus(
  digits: string,
  country: string,
  text: string,
): ReadNumber | NumberProblem {
  if (digits.length < 3 || digits.length > 17) return notDialledProblem
  const hadPlus = /^ [1-9]/.test(text)
  const code = isCountry(country) ? `${getCountryCallingCode(country)}` : undefined
  const known = parseValid(parse(`+${digits.replace(/^00/, '')}`)?.number)
  if (known !== undefined && digits.startsWith('00')) return toReadNumber(known.number)
  if (code === undefined && hadPlus) return readInternational(digits)
  if (code === undefined) {
    return { number: digits, dialled: digits, ...(known !== undefined && { isForeign: true }) }
  }
  const isOwn = known?.countryCallingCode === code
  const isMobile = /MOBILE/.test(known?.getType() ?? '')
  const parsed = isCountry(country) ? parse(digits, country) : undefined
  const national = parseValid(parsed?.number)
  if (national !== undefined && !(isOwn && isMobile && national.getType() !== 'MOBILE')) {
    const hasAreaCode = code === '1' && /^\(\d{3}\)/.test(text.trim())
    const hasOtherReading = known !== undefined && (isMobile || hadPlus) && !hasAreaCode
    if (!hasOtherReading || known.number === national.number || digits.startsWith('0'))
      return toReadNumber(national.number)
    const problem = `can be ${national.number} or ${known.number}; write the right one, with "+"`
    return { problem, readings: [national.number, known.number] }
  }
  if (known !== undefined) {
    const isForeign = !hadPlus && !isOwn
    return { ...toReadNumber(known.number), ...(isForeign && { isForeign }) }
  }
  if (hadPlus) return readInternational(digits)
  const possible = [parsed, parse(`+${digits}`)].filter(each => each?.isPossible() === true)
  return {
    readings: possible.flatMap(each => (each === undefined ? [] : [joinForms(each.number)])),
    problem:
      `is neither a number of ${country} (${parsed?.number ?? `+${code}${digits}`}) nor one with ` +
      `its country code (+${digits}); the form with "+" always works`,
  }
}

function parse(text: string, country?: CountryCode): PhoneNumber | undefined {
  const options = country === undefined ? {} : { defaultCountry: country }
  return parsePhoneNumberFromString(text, { ...options, extract: false })
}

/** The number of a numbering plan that an E.164 number is; undefined if no plan has it. */
function parseValid(number: string | undefined): PhoneNumber | undefined {
  const parsed = number === undefined ? undefined : parse(joinForms(number))
  return parsed?.isValid() === true ? parsed : undefined
}

function toReadNumber(dialled: string): ReadNumber {
  return { number: joinForms(dialled), dialled }
}

/** Mexico: 1 after the country code until 2019; Argentina: 9; Brazil: a ninth digit since 2016. */
function joinForms(number: string): string {
  return number
    .replace(/^\+521(\d{10})$/, '+52$1')
    .replace(/^\+54([1-3]\d{9})$/, '+549$1')
    .replace(/^\+55([1-9]\d)([6-9]\d{7})$/, '+55$19$2')
}
