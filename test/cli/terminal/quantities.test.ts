import { expect, test } from 'vitest'
import { parseRateFlag, parseSeed, parseShare } from '../../../src/cli/terminal/quantities.js'

test.each([
  ['5/s', 5],
  ['5', 5],
  ['0.5/s', 0.5],
  ['120/m', 2],
  ['7200/h', 2],
])('%s is %d a second', (text, perSecond) => {
  expect(parseRateFlag('--rate', text)).toBe(perSecond)
})

test.each([
  ['10%', 0.1],
  ['0.1', 0.1],
  ['.25', 0.25],
  ['1', 1],
  ['100%', 1],
  ['0', 0],
])('%s is the share %d', (text, part) => {
  expect(parseShare('--fail', text)).toBe(part)
})

test('a seed is the one given, or one of 31 bits', () => {
  expect(parseSeed('--seed', '7', () => 0)).toBe(7)
  expect(parseSeed('--seed', '0', () => 0.5)).toBe(0)
  expect(parseSeed('--seed', undefined, () => 0.5)).toBe(2 ** 30)
})

test.each(['', '0', '0/s', '-1/s', '5/w', '5/', 'x', '1e3', '12345678/s'])(
  '"%s" is no rate',
  text => {
    expect(() => parseRateFlag('--rate', text)).toThrow(/--rate must be a rate/)
  },
)

test.each(['', '10', '101%', '1.1', '-1%', '%', '10 %', 'x'])('"%s" is no share', text => {
  expect(() => parseShare('--fail', text)).toThrow(/--fail must be a share/)
})

test.each(['', '-1', '1.5', 'x', '4294967296', '99999999999'])('"%s" is no seed', text => {
  expect(() => parseSeed('--seed', text, () => 0)).toThrow(/--seed must be a whole number/)
})
