import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatLocalTime,
  listTimeZones,
  parseLocalTime,
} from '../../../src/domain/time/zoned-time.js'

const iso = (text: string, zone: string) => {
  const { at } = parseLocalTime(text, zone)
  return at === undefined ? undefined : new Date(at).toISOString()
}

test.each([
  ['2030-07-01T09:30', 'UTC', '2030-07-01T09:30:00.000Z'],
  ['2030-07-01T09:30:15', 'UTC', '2030-07-01T09:30:15.000Z'],
  ['2030-07-01T09:30', 'Europe/Berlin', '2030-07-01T07:30:00.000Z'],
  ['2030-01-01T00:15', 'Europe/Berlin', '2029-12-31T23:15:00.000Z'],
  ['2030-01-01T09:30', 'Asia/Kathmandu', '2030-01-01T03:45:00.000Z'],
])('%s in %s is %s', (text, zone, expected) => {
  expect(iso(text, zone)).toBe(expected)
})

test.each([
  ['2030-02-30T09:30', 'UTC'],
  ['2030-01-01T24:00', 'UTC'],
  ['2030-01-01 09:30', 'UTC'],
  ['2030-01-01', 'UTC'],
  ['', 'UTC'],
  ['2030-01-01T09:30', 'No/Where'],
  ['2030-01-01T09:30', ''],
])('there is no %j in %j', (text, zone) => {
  expect(parseLocalTime(text, zone).problem).toMatch(/^The time does not exist/)
})

test('a local time of any zone is parsed and formatted the same, unless it occurs twice', () => {
  const from = Date.UTC(2000, 0)
  const minutes = fc.integer({ min: 0, max: 40 * 365 * 24 * 60 })
  const zone = fc.constantFrom(...listTimeZones())
  const isReadBack = (minute: number, name: string): boolean => {
    const text = formatLocalTime(from + minute * 60_000, name)
    const { at, problem = '' } = parseLocalTime(text, name)
    return at === undefined ? problem.includes('twice') : formatLocalTime(at, name) === text
  }
  fc.assert(fc.property(minutes, zone, isReadBack))
})

test.each([
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25 00:30 or 2026-10-25 01:30'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01 05:30 or 2026-11-01 06:30'],
  ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04 14:45 or 2026-04-04 15:15'],
])('%s occurs twice in %s', (text, zone, times) => {
  expect(parseLocalTime(text, zone)).toEqual({
    problem:
      `${text.replace('T', ' ')} occurs twice in ${zone}, because the clocks change. ` +
      `Choose the time zone UTC and enter ${times}.`,
  })
})

test.each([
  ['2026-03-29T02:30', 'Europe/Berlin'],
  ['2026-03-08T02:00', 'America/New_York'],
  ['2011-12-30T12:00', 'Pacific/Apia'],
])('%s does not exist in %s', (text, zone) => {
  expect(parseLocalTime(text, zone).problem).toContain(`does not exist in ${zone}`)
})
