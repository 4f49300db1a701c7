import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDateTime, parseDateTime } from '../../../src/domain/time/date-time.js'
import { scale } from '../../tier.js'

describe('a date-time', () => {
  test.each([
    ['1970-01-01 00:00:00', 0],
    ['1969-12-31 23:59:59', -1000],
    ['2024-02-29 12:30:59', Date.UTC(2024, 1, 29, 12, 30, 59)],
    ['2000-02-29 00:00:00', Date.UTC(2000, 1, 29)],
    ['9999-12-31 23:59:59', 253_402_300_799_000],
    ['0000-01-01 00:00:00', -62_167_219_200_000],
    ['0099-03-01 00:00:00', Date.parse('0099-03-01T00:00:00Z')],
  ])('%s is %i', (text, ms) => {
    expect(parseDateTime(text)).toBe(ms)
    expect(formatDateTime(ms)).toBe(text)
  })

  test.each([
    '2026-02-30 00:00:00',
    '2026-02-29 00:00:00',
    '2100-02-29 00:00:00',
    '2026-04-31 00:00:00',
    '2026-13-01 00:00:00',
    '2026-00-10 00:00:00',
    '2026-01-00 00:00:00',
    '2026-01-01 24:00:00',
    '2026-01-01 23:60:00',
    '2026-06-30 23:59:60',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01  00:00:00',
    '2026-01-01 00:00',
    '2026-1-1 00:00:00',
    '10000-01-01 00:00:00',
    '-001-01-01 00:00:00',
    ' 2026-01-01 00:00:00',
    '2026-01-01 00:00:00\n',
    '２０２６-01-01 00:00:00',
    '2026-01-01',
    '',
    'now',
  ])('%j is invalid', text => {
    expect(parseDateTime(text)).toBeUndefined()
  })

  test('is parsed from its text to the second', () => {
    const latest = 253_402_300_799_999
    const check = (ms: number): void => {
      expect(parseDateTime(formatDateTime(ms))).toBe(Math.floor(ms / 1000) * 1000)
    }
    fc.assert(fc.property(fc.integer({ min: -62_167_219_200_000, max: latest }), check))
  })

  test('that is valid is formatted the same', () => {
    const part = (max: number) => fc.integer({ min: 0, max }).map(n => String(n).padStart(2, '0'))
    const texts = fc
      .tuple(fc.constantFrom('2023', '2024', '1900'), part(13), part(32), part(24), part(60))
      .map(([year, month, day, hour, rest]) => `${year}-${month}-${day} ${hour}:${rest}:${rest}`)
    const check = (text: string): void => {
      const ms = parseDateTime(text)
      if (ms !== undefined) expect(formatDateTime(ms)).toBe(text)
    }
    fc.assert(fc.property(texts, check))
  })
})

test('a time is formatted as by Date, in all years of four digits', () => {
  const years = fc.integer({
    min: Date.parse('0000-01-01T00:00:00Z'),
    max: Date.parse('9999-12-31T23:59:59Z'),
  })
  fc.assert(
    fc.property(years, ms => {
      const written = new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
      expect(formatDateTime(ms)).toBe(written)
    }),
    { numRuns: scale(2000) },
  )
})
