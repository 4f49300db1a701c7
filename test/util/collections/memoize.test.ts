import { expect, test } from 'vitest'
import { memoize } from '../../../src/util/collections/memoize.js'

test('a result is computed once, and again after too many others', () => {
  const computed: string[] = []
  const length = memoize(2, text => {
    computed.push(text)
    return text.length
  })
  expect([length('a'), length('bb'), length('a'), length('ccc'), length('a')]).toEqual([
    1, 2, 1, 3, 1,
  ])
  expect(computed).toEqual(['a', 'bb', 'ccc', 'a'])
})
