import { expect, test } from 'vitest'
import { listTicks } from '../../../../src/server/dashboard/charts/time-axis.js'

const hour = 60 * 60 * 1000
const clock = { toLocal: (at: number) => new Date(at).toISOString().slice(0, 16), zone: 'UTC' }

function listMarks(count: number, length: number, unit: 'hour' | 'day') {
  const from = Date.UTC(2026, 2, 12)
  const spans = Array.from({ length: count }, (_, at) => ({ from: from + at * length }))
  return listTicks(spans, unit, clock)
}

test.each([
  [1, ['12 Mar', '12:00']],
  [2, ['12 Mar', '12:00', '13 Mar', '12:00']],
  [3, ['12 Mar', '13 Mar', '14 Mar']],
  [7, ['12 Mar', '14 Mar', '16 Mar']],
  [31, ['12 Mar', '20 Mar', '28 Mar', '5 Apr']],
])('a chart by hour of %i days has the marks %j', (days, expected) => {
  expect(listMarks(24 * days, hour, 'hour').map(({ text }) => text)).toEqual(expected)
})

test('the marks of each number of days have room on a narrow screen', () => {
  for (let days = 1; days <= 92; days += 1) {
    const charts = [listMarks(days, 24 * hour, 'day')]
    if (days <= 31) charts.push(listMarks(24 * days, hour, 'hour'))
    for (const places of charts.map(marks => marks.map(({ at }) => at))) {
      expect(places.length, `${days} days`).toBeLessThanOrEqual(4)
      const gaps = places.slice(1).map((at, index) => at - (places[index] ?? 0))
      expect(Math.min(...gaps, 1), `${days} days`).toBeGreaterThan(0.19)
    }
  }
})
