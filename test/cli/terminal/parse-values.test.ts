import { describe, expect, it } from 'vitest'
import {
  parseBaseAddress,
  parseDuration,
  parseInteger,
  parseNumber,
  parseRateFlag,
  parseUtcTime,
} from '../../../src/cli/terminal/parse-values.js'

/** Expects a usage error that names the flag, and the value unless it may be secret. */
function expectUsageError(parse: () => unknown, ...named: string[]): void {
  expect(parse).toThrow(expect.objectContaining({ code: 'usage', hint: expect.any(String) }))
  for (const text of named) expect(parse).toThrow(text)
}

describe('a duration', () => {
  it.each([
    ['30s', 30_000],
    ['500ms', 500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1.5s', 1500],
    ['7', 7000],
    ['0', 0],
  ])('%s is %i ms', (text, ms) => expect(parseDuration('--timeout', text)).toBe(ms))

  it.each(['', 's', '-1s', '1d', '1e3', ' 1s', '1s ', '99999999h', 'NaN'])('%j is invalid', text =>
    expectUsageError(() => parseDuration('--timeout', text), '--timeout', JSON.stringify(text)),
  )
})

describe('an integer', () => {
  it.each(['0', '100'])('%s is in the range', text => {
    expect(parseInteger('--count', text, 0, 100)).toBe(Number(text))
  })

  it.each(['-1', '101', '1.5', '1e1', '', ' 1', '0x1', 'NaN'])('%j is invalid', text => {
    expectUsageError(() => parseInteger('--count', text, 0, 100), '--count', JSON.stringify(text))
  })
})

describe('a number', () => {
  it.each(['0', '1.5', '100'])('%s is in the range', text => {
    expect(parseNumber('--factor', text, 0, 100)).toBe(Number(text))
  })

  it.each(['-1', '100.1', '1e1', '', 'NaN'])('%j is invalid', text => {
    expectUsageError(() => parseNumber('--factor', text, 0, 100), '--factor', JSON.stringify(text))
  })
})

describe('a time', () => {
  it.each([
    ['2030-01-31 09:00:00', '2030-01-31 09:00:00'],
    ['2030-01-31 09:00', '2030-01-31 09:00:00'],
    ['2030-01-31T09:00:00Z', '2030-01-31 09:00:00'],
    ['2030-01-31T09:00:00.999z', '2030-01-31 09:00:00'],
    ['2030-01-31T00:30:00+02:00', '2030-01-30 22:30:00'],
    ['2030-01-31T00:30-0500', '2030-01-31 05:30:00'],
    ['2028-02-29 00:00:00', '2028-02-29 00:00:00'],
  ])('%s is %s', (text, utc) => expect(parseUtcTime('--at', text)).toBe(utc))

  it.each([
    '2030-01-31T09:00:00',
    '2030-02-30 00:00:00',
    '2030-02-30T00:00:00Z',
    '2027-02-29 00:00:00',
    '2030-13-01 00:00:00',
    '2030-01-31 24:00:00',
    '2030-01-31 23:60:00',
    '2030-01-31',
    'tomorrow',
    '',
  ])('%j is invalid', text => {
    expectUsageError(() => parseUtcTime('--at', text), '--at', JSON.stringify(text))
  })
})

describe('the address of a relay', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['https://sms.example.com/relay/', 'https://sms.example.com/relay'],
  ])('%s is %s', (text, address) => expect(parseBaseAddress('--url', text)).toBe(address))

  it.each(['', 'localhost:8080', 'ftp://a', 'http://u:p@a', 'http://a?b', 'http://a#b'])(
    '%j is invalid',
    text => expectUsageError(() => parseBaseAddress('--url', text), '--url'),
  )

  it('is not repeated in the error, because it may contain a password', () => {
    expect(() => parseBaseAddress('--url', 'http://u:pa55@a')).toThrow(/^((?!pa55).)*$/)
  })
})

describe('a rate', () => {
  it.each([
    ['5/s', 5],
    ['5', 5],
    ['0.5/s', 0.5],
    ['120/m', 2],
    ['7200/h', 2],
  ])('%s is %d a second', (text, perSecond) => {
    expect(parseRateFlag('--rate', text)).toBe(perSecond)
  })

  it.each(['', '0', '0/s', '-1/s', '5/w', '5/', 'x', '1e3', '12345678/s'])('%j is invalid', text =>
    expectUsageError(() => parseRateFlag('--rate', text), '--rate', JSON.stringify(text)),
  )
})
