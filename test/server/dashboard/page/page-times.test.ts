import { expect, test } from 'vitest'
import { fillTimes, formatNearTime } from '../../../../src/server/dashboard/page/page-times.js'

const now = Date.UTC(2026, 2, 18, 14, 20)
const minute = 60_000
const hour = 60 * minute
const zone = 'America/New_York'

test.each([
  [-12_000, '12 s ago'],
  [-3 * minute, '3 min ago'],
  [8 * minute, 'in 8 min'],
  [-9.9 * hour, '9 h ago'],
  [-10.2 * hour, '00:08'],
  [-13 * hour - 5 * minute, 'yesterday 21:15'],
  [22 * hour, 'tomorrow 08:20'],
  [-30 * 24 * hour, '16 Feb 09:20'],
  [-400 * 24 * hour, '11 Feb 2025'],
])('a time that is %i ms away is shown as %s', (distance, text) => {
  expect(formatNearTime(now + distance, now, zone)).toBe(text)
})

test('a page gets its times when it is sent, each with the full time and UTC', () => {
  const iso = '2026-03-18T14:19:48.000Z'
  const page = `<time datetime="${iso}"></time> <time datetime="${iso}" data-exact="true"></time>`
  const title = 'title="18 Mar 2026, 10:19:48 in New York (14:19:48 UTC)"'
  expect(fillTimes(page, now, zone)).toBe(
    `<time datetime="${iso}" data-near ${title}>12 s ago</time> ` +
      `<time datetime="${iso}" ${title}>18 Mar 2026, 10:19:48</time>`,
  )
  expect(fillTimes(page, now, zone, true)).toBe(
    `<time datetime="${iso}" ${title}>18 Mar 2026, 10:19:48</time> `.repeat(2).trim(),
  )
  const clock = `<time datetime="${iso}" data-clock="true"></time>`
  expect(fillTimes(clock, now, zone)).toBe(`<time datetime="${iso}" ${title}>10:19</time>`)
  expect(fillTimes(page, now, 'UTC')).toContain('title="18 Mar 2026, 14:19:48 UTC"')
})
