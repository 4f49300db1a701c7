import { expect, test } from 'vitest'
import { parseOptions } from '../../../tools/abuse/options.js'
import {
  type Figure,
  formatResults,
  limitFigure,
  listViolations,
} from '../../../tools/abuse/result.js'

const atLeast: Figure = { what: 'answers', value: 5, unit: '', limit: { min: 5 } }

test.each([
  ['a figure at its maximum', limitFigure('p99', 100, 'ms', 100), true],
  ['a figure above its maximum', limitFigure('p99', 100.1, 'ms', 100), false],
  ['a figure at its minimum', atLeast, true],
  ['a figure below its minimum', { ...atLeast, value: 4 }, false],
  ['a figure that was not measured', limitFigure('p99', Number.NaN, 'ms', 100), false],
])('%s is judged', (_, figure, isGood) => {
  const results = [{ title: 'flood', figures: [figure] }]
  expect(listViolations(results)).toHaveLength(isGood ? 0 : 1)
  expect(formatResults(results).includes('VIOLATED')).toBe(!isGood)
})

test('a scenario that failed or checked nothing is a violation', () => {
  const unchecked: Figure = { what: 'time', value: 1, unit: 's' }
  expect(listViolations([{ title: 'flood', figures: [unchecked] }])).toHaveLength(1)
  const good = limitFigure('p99', 1, 'ms', 100)
  const failed = [{ title: 'flood', figures: [good], error: 'did not end' }]
  expect(listViolations(failed)).toEqual(['flood: did not end'])
  expect(formatResults(failed)).toContain('VIOLATED')
})

test('the arguments choose scenarios, and an unknown one is refused', () => {
  const known = ['slow', 'floods']
  expect(parseOptions([], known).only).toEqual(known)
  expect(parseOptions(['--only', 'slow', '--seed', '7'], known)).toMatchObject({
    only: ['slow'],
    seed: 7,
  })
  expect(() => parseOptions(['--only', 'fast'], known)).toThrow(TypeError)
  expect(() => parseOptions(['--seed', '-1'], known)).toThrow(TypeError)
})
