import { describe, expect, it } from 'vitest'
import { findSpacingRate, parseRate } from '../../../src/phone/rate-limit/parts-rate.js'
import { expectUsageError } from '../drivers/usage-error.js'

describe('--rate', () => {
  it.each([
    ['1/s', 1, 1000],
    ['30/min', 30, 60_000],
    [' 500 / h ', 500, 3_600_000],
    ['1000/d', 1000, 86_400_000],
    ['1000000/d', 1_000_000, 86_400_000],
  ])('%s', (text, parts, period) => {
    expect(parseRate(text)).toMatchObject({ parts, period, name: text.replaceAll(' ', '') })
  })

  it.each([
    '',
    '30',
    '30/',
    '/min',
    '0/min',
    '0.5/min',
    '-1/s',
    '1000001/d',
    '30/toString',
    '1e3/s',
  ])('"%s" is rejected', text => {
    expectUsageError(() => parseRate(text), '--rate', `"${text}"`, '30/min')
  })
})

it('m is short for min', () => {
  expect(parseRate('30/m')).toEqual(parseRate('30/min'))
})

it('the limit with the shortest period spaces, the smaller one of two', () => {
  const rates = ['1000/d', '30/min', '20/min', '100/h'].map(parseRate)
  expect(findSpacingRate(rates)?.name).toBe('20/min')
})
