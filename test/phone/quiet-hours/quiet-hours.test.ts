import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createQuietHours, type QuietHours } from '../../../src/phone/quiet-hours/quiet-hours.js'
import { scale } from '../../tier.js'
import { expectUsageError } from '../drivers/usage-error.js'

const minute = 60_000

function create(spans: readonly string[], zone: string): QuietHours {
  const hours = createQuietHours(spans, zone)
  if (hours === undefined) throw new Error('no quiet hours')
  return hours
}

function getEnd(spans: string, zone: string, at: string): string | undefined {
  const until = create([spans], zone).getEnd(Date.parse(at))
  return until === undefined ? undefined : new Date(until).toISOString()
}

describe('quiet hours end', () => {
  it.each([
    [
      'at the end of the span',
      '22:00-07:00',
      'Europe/Berlin',
      '2026-11-20T22:30:00Z',
      '2026-11-21T06:00',
    ],
    [
      'in the time zone',
      '22:00-07:00',
      'America/New_York',
      '2026-11-21T03:00:00Z',
      '2026-11-21T12:00',
    ],
    [
      'an hour earlier when clocks go forward',
      '22:00-07:00',
      'Europe/Berlin',
      '2026-03-28T22:00:00Z',
      '2026-03-29T05:00',
    ],
    [
      'an hour later when clocks go back',
      '22:00-07:00',
      'Europe/Berlin',
      '2026-10-24T21:00:00Z',
      '2026-10-25T06:00',
    ],
    [
      'at the end of the hour that is skipped',
      '22:00-02:30',
      'Europe/Berlin',
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:00',
    ],
    [
      'half an hour earlier on Lord Howe Island',
      '22:00-07:00',
      'Australia/Lord_Howe',
      '2026-10-03T12:00:00Z',
      '2026-10-03T20:00',
    ],
    [
      'in a zone with an offset of 45 minutes',
      '22:00-07:00',
      'Asia/Kathmandu',
      '2026-11-20T17:00:00Z',
      '2026-11-21T01:15',
    ],
    [
      'after a day that was skipped',
      '22:00-07:00',
      'Pacific/Apia',
      '2011-12-30T09:30:00Z',
      '2011-12-30T17:00',
    ],
    ['after a whole day', 'sun 00:00-24:00', 'UTC', '2026-11-22T13:00:00Z', '2026-11-23T00:00'],
  ])('%s', (_, spans, zone, at, expected) => {
    expect(getEnd(spans, zone, at)).toBe(`${expected}:00.000Z`)
  })

  it('on the day after a named day', () => {
    const of = (at: string) => getEnd('fri 22:00-07:00', 'UTC', at)
    expect(of('2026-11-20T23:00:00Z')).toBe('2026-11-21T07:00:00.000Z')
    expect(of('2026-11-21T06:59:59.999Z')).toBe('2026-11-21T07:00:00.000Z')
    expect(of('2026-11-21T07:00:00Z')).toBeUndefined()
    expect(of('2026-11-21T23:00:00Z')).toBeUndefined()
    expect(of('2026-11-20T06:00:00Z')).toBeUndefined()
  })
})

it('an hour that occurs twice is quiet twice', () => {
  const hours = create(['02:00-02:30'], 'Europe/Berlin')
  const at = (time: string) => hours.getEnd(Date.parse(`2026-10-25T${time}:00Z`)) !== undefined
  expect([at('00:10'), at('00:40'), at('01:10'), at('01:40')]).toEqual([true, false, true, false])
})

it('their start is found in advance', () => {
  const hours = create(['22:00-07:00'], 'UTC')
  const at = Date.parse('2026-11-20T21:59:40Z')
  expect(hours.findStart(at, 25_000)).toBe(at + 20_000)
  expect(hours.findStart(at, 19_999)).toBeUndefined()
})

it('several spans are joined, and without spans there are no quiet hours', () => {
  const hours = create(['22:00-07:00', 'sat,sun 00:00-10:00'], 'UTC')
  expect(hours.getEnd(Date.parse('2026-11-21T06:00:00Z'))).toBe(Date.parse('2026-11-21T10:00:00Z'))
  expect(createQuietHours([])).toBeUndefined()
})

it.each([
  ['no time to send', ['00:00-12:00', '12:00-24:00'], 'UTC', ['--quiet']],
  ['a zone without hours', [], 'UTC', ['--time-zone', '--quiet']],
  ['an unknown zone', ['22:00-07:00'], 'Europe/Atlantis', ['"Europe/Atlantis"']],
])('%s is rejected', (_, spans, zone, values) => {
  expectUsageError(() => createQuietHours(spans, zone), ...values)
})

const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC'],
  ...['America/Sao_Paulo', 'Asia/Kathmandu', 'Pacific/Apia', 'Antarctica/Troll', 'Europe/Dublin'],
]
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const formatMinute = (at: number) =>
  `${`${Math.floor(at / 60)}`.padStart(2, '0')}:${`${at % 60}`.padStart(2, '0')}`

const dateStyle = { dateStyle: 'short', timeStyle: 'medium' } as const
const formats = new Map(
  zones.map(timeZone => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, ...dateStyle })]),
)

/** Formats a local time: `2026-11-21 22:30:00`. */
function formatLocal(at: number, timeZone: string): string {
  return formats.get(timeZone)?.format(at) ?? ''
}

/** The local time, found in another way than by the code under test. */
function getWallTime(at: number, timeZone: string): { minute: number; day: number } {
  const [date = '', time = ''] = formatLocal(at, timeZone).split(' ')
  const [hour = 0, minutes = 0] = time.split(':').map(Number)
  return { minute: hour * 60 + minutes, day: new Date(`${date}T12:00:00Z`).getUTCDay() }
}

/** Finds the clock changes of a zone between two times by bisection. */
function findChanges(timeZone: string, from: number, to: number): number[] {
  const offset = (at: number) => {
    return (
      Date.parse(`${formatLocal(at, timeZone).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000
    )
  }
  const found: number[] = []
  const day = 24 * 60 * minute
  for (let at = from; at < to; at += day) {
    let [low, high] = [at, at + day]
    if (offset(low) === offset(high)) continue
    while (high - low > minute) {
      const middle = Math.floor((low + high) / 2 / minute) * minute
      if (offset(middle) === offset(low)) low = middle
      else high = middle
    }
    found.push(high)
  }
  return found
}

const around = zones.flatMap(zone => {
  const found = findChanges(zone, Date.UTC(2024, 0, 1), Date.UTC(2026, 0, 1))
  return [Date.UTC(2026, 5, 1), ...found].map(at => ({ zone, at }))
})

it('quiet hours are right in every zone and around every clock change', () => {
  expect(around.length).toBeGreaterThan(25)
  const cases = fc.record({
    where: fc.constantFrom(...around),
    offset: fc.integer({ min: -30 * 60, max: 30 * 60 }),
    from: fc.integer({ min: 0, max: 1439 }),
    to: fc.integer({ min: 0, max: 1440 }),
    day: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(cases, ({ where: { zone, at }, offset, from, to, day }) => {
      fc.pre(from !== to && !(from === 0 && to === 1440 && day === undefined))
      const isQuiet = (time: number) => {
        const now = getWallTime(time, zone)
        const on = (each: number) => day === undefined || day === each
        if (from < to) return on(now.day) && now.minute >= from && now.minute < to
        const began = now.minute >= from
        return (began && on(now.day)) || (now.minute < to && on((now.day + 6) % 7))
      }
      const dayName = day === undefined ? '' : `${days[day]} `
      const span = `${dayName}${formatMinute(from)}-${formatMinute(to)}`
      const hours = create([span], zone)
      const now = at + offset * minute + 12_345
      const until = hours.getEnd(now)
      expect(until !== undefined).toBe(isQuiet(now))
      if (until === undefined) return
      expect(isQuiet(until)).toBe(false)
      expect(isQuiet(until - 1)).toBe(true)
      for (let time = now; time < until; time += 7 * minute) expect(isQuiet(time)).toBe(true)
    }),
    { numRuns: scale(400) },
  )
})
