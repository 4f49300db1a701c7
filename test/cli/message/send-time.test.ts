import { expect, it } from 'vitest'
import { parseSendTime } from '../../../src/cli/message/send-time.js'

const berlin = 'Europe/Berlin'
const parse = (text: string, now: string, zone = berlin) =>
  parseSendTime('--at', text, Date.parse(now), zone)

it.each([
  ['+10m', '2026-11-23T09:00:00Z', '2026-11-23 09:10:00', '2026-11-23 10:10'],
  ['+1d', '2026-11-23T09:00:00Z', '2026-11-24 09:00:00', '2026-11-24 10:00'],
  ['tomorrow 9:00', '2026-11-23T09:00:00Z', '2026-11-24 08:00:00', '2026-11-24 09:00'],
  ['tomorrow 9:00', '2026-11-23T23:30:00Z', '2026-11-25 08:00:00', '2026-11-25 09:00'],
  ['Today 18:05', '2026-06-23T09:00:00Z', '2026-06-23 16:05:00', '2026-06-23 18:05'],
  ['tomorrow 0:30', '2026-12-31T12:00:00Z', '2026-12-31 23:30:00', '2027-01-01 00:30'],
])('%s at %s is %s UTC', (text, now, utc, local) => {
  expect(parse(text, now)).toEqual({ utc, local })
})

it('a time in UTC is not shown as local time', () => {
  const at = parse('2030-01-31T09:00:00+02:00', '2026-11-23T09:00:00Z')
  expect(at).toEqual({ utc: '2030-01-31 07:00:00' })
})

it.each([
  ['tomorrow 2:30', '2026-03-28T12:00:00Z', /does not exist in Europe\/Berlin/],
  ['tomorrow 2:30', '2026-10-24T12:00:00Z', /occurs twice in Europe\/Berlin/],
  ['today 9:00', '2026-11-23T12:00:00Z', /has passed/],
  ['tomorrow 25:00', '2026-11-23T12:00:00Z', /is not a valid time/],
  ['tomorrow', '2026-11-23T12:00:00Z', /is not a valid time/],
  ['+10', '2026-11-23T12:00:00Z', /is not a valid time/],
])('%s at %s is a usage error', (text, now, message) => {
  expect(() => parse(text, now)).toThrow(message)
})

it('names both times of a local time that occurs twice', () => {
  let hint: unknown
  try {
    parse('tomorrow 2:30', '2026-10-24T12:00:00Z')
  } catch (error) {
    hint = (error as { hint?: string }).hint
  }
  expect(hint).toContain('2026-10-25 00:30:00 or 2026-10-25 01:30:00')
})
