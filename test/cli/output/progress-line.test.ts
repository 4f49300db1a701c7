import { expect, test } from 'vitest'
import { formatProgress, ProgressLine } from '../../../src/cli/output/progress-line.js'
import { testIo } from '../streams.js'

test.each([
  [{ total: 10, finished: 0 }, 0, 'rows', /^░{20} 0% {2}0 of 10$/],
  [{ total: 10, finished: 5 }, 2.5, 'rows', /^█{10}░{10} 50% {2}5 of 10 {2}2\.5\/s, 2 s left$/],
  [{ total: 1000, finished: 0 }, 1, 'records', / 17 min left$/],
  [{ total: 10_000, finished: 0 }, 1, 'records', / 2 h 47 min left$/],
  [
    { total: 3 * 2 ** 20, finished: 2 ** 20 },
    2 ** 19,
    'bytes',
    /33% {2}1 of 3 MiB {2}0\.5 MiB\/s, 4 s/,
  ],
  [{ total: 0, finished: 12_000 }, 3000, 'records', /^12000 records {2}3000\/s$/],
  [{ total: 0, finished: 2 ** 20 }, 0, 'bytes', /^1 MiB$/],
] as const)('progress %o at %d %s a second', (progress, speed, unit, line) => {
  expect(formatProgress(progress, speed, unit)).toMatch(line)
})

test('it is drawn on a terminal at most every 100 ms, and cleared', () => {
  const io = testIo({ tty: true })
  let now = 5000
  const line = new ProgressLine(io.stderr, () => now, 'records')
  for (const finished of [0, 1, 2, 3]) {
    line.draw({ finished, total: 4 })
    now += 50
  }
  line.clear()
  const [, first = '', second = '', ...rest] = io.err().split('\r')
  expect(first).toMatch(/ 0% {2}0 of 4\u001b\[K$/)
  expect(second).toMatch(/ 50% {2}2 of 4 {2}20\/s, 1 s left\u001b\[K$/)
  expect(rest).toEqual(['\u001b[K'])
})

test('the speed counts from the first drawing, and a title shortens the bar', () => {
  const io = testIo({ tty: true })
  let now = 0
  const line = new ProgressLine(io.stderr, () => now, 'rows', 'Index message')
  line.draw({ finished: 500, total: 1000 })
  now += 1000
  line.draw({ finished: 600, total: 1000 })
  expect(io.err()).toContain('\rIndex message ████░░░ 60%  600 of 1000  100/s, 4 s left')
})

test('nothing is drawn elsewhere', () => {
  const io = testIo()
  const line = new ProgressLine(io.stderr, () => 0, 'records')
  line.draw({ finished: 1, total: 2 })
  line.clear()
  expect(io.err()).toBe('')
})
