import { expect, test } from 'vitest'
import { formatCount, formatLimitedCount } from '../../../src/util/text/plural.js'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [123_456, '123,456'],
  [12_345_678, '12,345,678'],
])('the number %d is written %j', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

test('a number that is not counted further is a lower limit', () => {
  expect(formatLimitedCount(9999, 9999)).toBe('9,999')
  expect(formatLimitedCount(10_000, 9999)).toBe('10,000+')
  expect(formatLimitedCount(12_345, 9999)).toBe('12,300+')
})
