import fc from 'fast-check'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'
import { describe, expect, test } from 'vitest'
import {
  getTestOutcome,
  isCountry,
  toCanonicalNumber,
} from '../../../src/domain/sms/phone-number.js'
import { scale } from '../../tier.js'

describe('a destination', () => {
  test.each([
    ['+12025550143', 'US', '+12025550143'],
    ['+12025550143', 'DE', '+12025550143'],
    ['+12025550143', 'nowhere', '+12025550143'],
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
    ['2025550143', 'nowhere'],
    ['++12025550143', 'US'],
    ['+120255501431234567890', 'US'],
    ['+999123456789', 'US'],
    ['1-800-FLOWERS', 'US'],
    ['+12025550143;ext=5', 'US'],
    ['+12025550143,1', 'US'],
    ['12\u00005', 'US'],
    ['２０２５５５０１４３', 'US'],
    ['me@example.com', 'US'],
  ])('%j in %s cannot be dialled', (destination, country) => {
    expect(toCanonicalNumber(destination, country)).toBeUndefined()
  })

  test('a canonical form stays as it is', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789+ -()./'), maxLength: 20 })
    const countries = fc.constantFrom('US', 'DE', 'GB', 'nowhere')
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

test('nine to eleven digits after +1 get the form that libphonenumber gives them', () => {
  const property = fc.property(
    fc.stringMatching(/^[1-9]\d{8,10}$/).map(digits => `+1${digits}`),
    fc.constantFrom<CountryCode>('US', 'AG', 'JM', 'DE', 'GB'),
    (destination, country) => {
      const read = parsePhoneNumberFromString(destination, country)
      const expected = read?.isPossible() ? read.number : undefined
      expect(toCanonicalNumber(destination, country)).toBe(expected)
    },
  )
  fc.assert(property, { numRuns: scale(2000) })
})
