import { describe, expect, it } from 'vitest'
import { findSpacingRate, parseRate } from '../../../src/phone/rate-limit/parts-rate.js'

describe('a rate', () => {
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
  ])('is not "%s"', text => {
    expect(() => parseRate(text)).toThrow(/--rate must be parts per time, such as 30\/min/)
  })
})

it('takes m for min, as every rate does', () => {
  expect(parseRate('30/m')).toEqual(parseRate('30/min'))
})

it('the shortest period spaces, of two the smaller limit', () => {
  const rates = ['1000/d', '30/min', '20/min', '100/h'].map(parseRate)
  expect(findSpacingRate(rates)?.name).toBe('20/min')
})
