import { expect, test } from 'vitest'
import { formatWait } from '../../../src/util/text/wait.js'

test.each([
  [0.2, '1 s'],
  [119, '119 s'],
  [120, '2 min'],
  [3599, '1 h'],
  [3601, '1 h 1 min'],
  [82_800, '23 h'],
])('%s s are %s', (seconds, text) => {
  expect(formatWait(seconds)).toBe(text)
})
