import { describe, expect, it } from 'vitest'
import {
  parseBaseAddress,
  parseDuration,
  parseInteger,
  parseUtcTime,
} from '../../../src/cli/terminal/parse-values.js'
import { RelayError } from '../../../src/errors.js'

describe('duration', () => {
  it.each([
    ['30s', 30_000],
    ['500ms', 500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1.5s', 1500],
    ['7', 7000],
    ['0', 0],
  ])('%s is %i ms', (text, ms) => expect(parseDuration('--timeout', text)).toBe(ms))

  it.each(['', 's', '-1s', '1d', '1e3', ' 1s', '1s ', '99999999h', 'NaN'])('%j is none', text => {
    expect(() => parseDuration('--timeout', text)).toThrow(/^--timeout must be a time/)
  })
})

describe('integer', () => {
  it.each(['0', '100'])('%s is within', text => {
    expect(parseInteger('--count', text, 0, 100)).toBe(Number(text))
  })

  it.each(['-1', '101', '1.5', '1e1', '', ' 1', '0x1', 'NaN'])('%j is not', text => {
    expect(() => parseInteger('--count', text, 0, 100)).toThrow(RelayError)
  })
})

describe('utcTime', () => {
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
  ])('%j is none', text => {
    expect(() => parseUtcTime('--at', text)).toThrow(/^--at must be an existing time/)
  })
})

describe('baseAddress', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['https://sms.example.com/relay/', 'https://sms.example.com/relay'],
  ])('%s is %s', (text, address) => expect(parseBaseAddress('--url', text)).toBe(address))

  it.each(['', 'localhost:8080', 'ftp://a', 'http://u:p@a', 'http://a?b', 'http://a#b'])(
    '%j is none',
    text => expect(() => parseBaseAddress('--url', text)).toThrow(/^--url must be an address/),
  )
})
