import fc from 'fast-check'
import {
  type CountryCode,
  getCountries,
  getExampleNumber,
  type PhoneNumber,
} from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import {
  getTestOutcome,
  isCountry,
  readNumber,
  toCanonicalNumber,
} from '../../../src/domain/sms/phone-number.js'
import { isFullRun, scale } from '../../tier.js'

describe('a destination', () => {
  test.each([
    ['+12025550143', 'US', '+12025550143'],
    ['+12025550143', 'DE', '+12025550143'],
    ['+12025550143', '', '+12025550143'],
    ['+ 1 (202) 555-0143', 'US', '+12025550143'],
    ['(202) 555-0143', 'US', '+12025550143'],
    ['202.555.0143', 'US', '+12025550143'],
    ['202/555/0143', 'US', '+12025550143'],
    ['1 202 555 0143', 'US', '+12025550143'],
    ['0171 1234567', 'DE', '+491711234567'],
    ['07400 123456', 'GB', '+447400123456'],
    ['0012025550143', 'DE', '+12025550143'],
    ['123', 'US', '123'],
    ['12345', 'DE', '12345'],
    ['123-456', 'US', '123456'],
    ['5551212', 'US', '5551212'],
    ['555-1213', 'DE', '5551213'],
    ['+12025551212', 'US', '+12025551212'],
    ['(202) 555-1213', 'US', '2025551213'],
    ['4915123456789', 'DE', '+4915123456789'],
    ['12025550143', 'DE', '+12025550143'],
    ['00447911123458', 'US', '+447911123458'],
    ['+49 (0)151/23456789', 'US', '+4915123456789'],
    ['(+49) 151 23456789', 'US', '+4915123456789'],
    [' 12025550143', 'DE', '+12025550143'],
    [' 2025550143', 'US', '+12025550143'],
    ['\u202a+12025550143\u202c', 'US', '+12025550143'],
    ['\ufeff202\u2011555\u00a00143\u200e', 'US', '+12025550143'],
    ['２０２５５５０１４３', 'US', '+12025550143'],
    ['＋١٢٠٢٥٥٥٠١٤٣', 'DE', '+12025550143'],
    ['2025550143.0', 'US', '+12025550143'],
    ['+345906566798696', 'DE', '+345906566798696'],
    ['+327700010023652', 'US', '+327700010023652'],
    ['(678) 591-2345', 'US', '+16785912345'],
    ['+5215512345678', 'US', '+525512345678'],
    ['+541112345678', 'US', '+5491112345678'],
    ['(11) 8123-4567', 'BR', '+5511981234567'],
    ['0049', 'DE', '0049'],
    [' 12025550143', '', '+12025550143'],
    ['2025550143', '', '2025550143'],
  ])('%s in %s is %s', (destination, country, number) => {
    expect(toCanonicalNumber(destination, country)).toBe(number)
  })

  test.each([
    ['', 'US'],
    ['+', 'US'],
    ['-', 'US'],
    ['12', 'US'],
    ['+123', 'US'],
    ['5550143', 'US'],
    ['15123456789', 'DE'],
    [' 15123456789', 'DE'],
    ['33612345678', 'DE'],
    ['678-591-2345', 'US'],
    ['0151 23456789 0152', 'DE'],
    ['4.91512E+11', 'DE'],
    ['+12025550143 +12025550144', 'US'],
    ['2025550143\n2025550144', 'US'],
    ['++12025550143', 'US'],
    ['+120255501431234567890', 'US'],
    ['+999123456789', 'US'],
    ['1-800-FLOWERS', 'US'],
    ['+12025550143;ext=5', 'US'],
    ['+12025550143,1', 'US'],
    ['12\u00005', 'US'],
    ['me@example.com', 'US'],
  ])('%j in %s cannot be dialled', (destination, country) => {
    expect(toCanonicalNumber(destination, country)).toBeUndefined()
  })

  test('a canonical form stays as it is', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789+ -()./'), maxLength: 20 })
    const countries = fc.constantFrom('US', 'DE', 'GB', 'BR', 'AR', 'MX', '')
    const check = (destination: string, country: string): void => {
      const number = toCanonicalNumber(destination, country)
      if (number === undefined) return
      expect(number).toMatch(/^\+?\d+$/)
      expect(toCanonicalNumber(number, country)).toBe(number)
    }
    const examples: [string, string][] = [['+98000000', 'US']]
    fc.assert(fc.property(typed, countries, check), { numRuns: scale(500), examples })
  })
})

test.each([
  ['5551212', 'success'],
  ['+1 (202) 555-1212', 'success'],
  ['5551213', 'failure'],
  ['+492025551213', 'failure'],
  ['551212', undefined],
  ['5551214', undefined],
  ['55512120', undefined],
  ['', undefined],
])('a text to %s has the fixed outcome %s', (number, outcome) => {
  expect(getTestOutcome(number)).toBe(outcome)
})

test.each([
  ['US', true],
  ['DE', true],
  ['us', false],
  ['ZZ', false],
  ['toString', false],
  ['', false],
])('%j is a country: %s', (code, known) => {
  expect(isCountry(code)).toBe(known)
})

describe('the mobile numbers of all countries', () => {
  const countries = getCountries()
  const anyCountry = fc.constantFrom(...countries)
  /** Numbers like the examples of the metadata, with other last digits. */
  const numbers = fc
    .tuple(anyCountry, fc.stringMatching(/^\d{3}$/))
    .map(([country, last]) => {
      const { number } = getExampleNumber(country, examples) as PhoneNumber
      return number.slice(0, -3) + last
    })
    .filter(number => getTestOutcome(number) === undefined)
  const noise = fc.constantFrom('', ' ', '-', '\u2011', '\u00a0', '\u200e', '\u00ad', '\ufeff', '.')
  const noisy = (digits: string, between: readonly string[]) =>
    [...digits].map((digit, at) => digit + (between[at] ?? '')).join('')

  test('written with +, they are read as they are in every country', () => {
    const property = fc.property(
      ...[numbers, anyCountry, fc.array(noise)],
      (number, country, between) => {
        const read = readNumber(noisy(number, between), country)
        expect(read).toMatchObject({ dialled: number })
      },
    )
    fc.assert(property, { numRuns: scale(5000) })
  })

  test('written without +, they are read as they are, or refused', () => {
    const property = fc.property(
      ...[numbers, anyCountry, fc.array(noise)],
      (number, country, between) => {
        const read = readNumber(noisy(number.slice(1), between), country)
        if (!('problem' in read)) expect(read.dialled).toBe(number)
      },
    )
    fc.assert(property, { numRuns: scale(5000) })
  })

  test('of two countries that could read one number, neither gets it', () => {
    const refused = new Map<CountryCode, number>()
    const accounts: readonly CountryCode[] = isFullRun ? countries : ['DE', 'US', 'IN', 'CN']
    for (const country of accounts) {
      for (const other of countries) {
        const { number } = getExampleNumber(other, examples) as PhoneNumber
        const read = readNumber(number.slice(1), country)
        if ('problem' in read) refused.set(country, (refused.get(country) ?? 0) + 1)
        else expect([country, read.dialled]).toEqual([country, number])
      }
    }
    // Numbering plans in which the area codes have no fixed length have the most of them.
    expect(Math.max(...refused.values())).toBe(refused.get('DE'))
    expect(refused.get('US')).toBeLessThan(15)
  })

  test('written as people of the country do, they are read in it', () => {
    for (const country of countries) {
      const { number, formatNational } = getExampleNumber(country, examples) as PhoneNumber
      const national = formatNational.call(getExampleNumber(country, examples))
      const read = readNumber(national, country)
      if (!('problem' in read) && read.dialled.startsWith('+'))
        expect([country, read.dialled]).toEqual([country, number])
    }
  })
})
