import { expect, test } from 'vitest'
import { statusNames } from '../../../src/domain/message/message.js'
import { messageFilterNames, messageFilters } from '../../../src/domain/message/message-filter.js'

test.each([
  ['normal', 'EN'],
  ['all', 'BDEFLNS'],
  ['error', 'E'],
  ['sent', 'S'],
  ['new', 'N'],
  ['failed', 'F'],
  ['deleted', 'D'],
  ['locked', 'L'],
  ['blocked', 'B'],
] as const)('the filter %s shows %s', (filter, letters) => {
  expect([...messageFilters[filter]].sort().join('')).toBe(letters)
})

test('there are nine filters, and all has all states', () => {
  expect(messageFilterNames).toHaveLength(9)
  expect([...messageFilters.all].sort()).toEqual(Object.keys(statusNames).sort())
})
