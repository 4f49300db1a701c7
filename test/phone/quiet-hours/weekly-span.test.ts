import { describe, expect, it } from 'vitest'
import { parseSpan } from '../../../src/phone/quiet-hours/weekly-span.js'

describe('quiet hours', () => {
  const all = [0, 1, 2, 3, 4, 5, 6]
  it.each([
    ['22:00-07:00', all, 1320, 420],
    ['0:00 - 6:30', all, 0, 390],
    ['sat,sun 00:00-10:00', [6, 0], 0, 600],
    ['Mon-Fri 20:00-24:00', [1, 2, 3, 4, 5], 1200, 1440],
    ['fri-mon, wed 20:00-00:00', [5, 6, 0, 1, 3], 1200, 0],
  ])('%s', (text, days, from, to) => {
    expect(parseSpan(text)).toEqual({ days, from, to })
  })

  it.each([
    '',
    '22-7',
    '22:00',
    '22:00-22:00',
    '24:00-07:00',
    '22:60-07:00',
    '22:00-24:01',
    'someday 22:00-07:00',
    'mon-tue-wed 22:00-07:00',
    'sat22:00-07:00',
    'sat, 22:00-07:00',
  ])('are not "%s"', text => {
    expect(() => parseSpan(text)).toThrow(/--quiet must be hours such as 22:00-07:00/)
  })
})
