import { expect, test } from 'vitest'
import { isWriting } from '../../../../../src/server/store/postgres/connection/statement.js'

test.each([
  ['select 1', false],
  ['select id from a for update', false],
  ['select id from a for no key update of a', false],
  ['select updated_at, deleted from a', false],
  ['update a set b = 1', true],
  ['with l as (select id from a for update)\n  update a set b = 1', true],
  ['with d as (delete from a returning id) select id from d', true],
  ['insert into a (b) values (1)', true],
])('%s writes: %s', (text, expected) => {
  expect(isWriting({ name: 'x', text })).toBe(expected)
})
