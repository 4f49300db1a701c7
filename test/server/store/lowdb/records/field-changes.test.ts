import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyFieldChanges,
  findFieldChanges,
} from '../../../../../src/server/store/lowdb/records/field-changes.js'
import { scale } from '../../../../tier.js'

const value = fc.oneof(
  { arbitrary: fc.constantFrom('', 'S', 0, 1, false, undefined), weight: 6 },
  { arbitrary: fc.constant(null), weight: 1 },
  fc.record({ holder: fc.constantFrom('a', 'b'), until: fc.option(fc.nat(2)) }),
)
const names = ['id', 'status', 'statusAt', 'lease', 'parts', 'error', '__proto__x', '0'] as const
const record = fc.record(Object.fromEntries(names.map(name => [name, value])), {
  requiredKeys: [],
})

/** The value as it is read from a file. */
function store<T>(json: T): T {
  return JSON.parse(JSON.stringify(json))
}

test('a record with its stored changes applied is the new record', () => {
  let patched = 0
  fc.assert(
    fc.property(record, record, fc.subarray([...names]), (before, other, changed) => {
      const after = { ...before, ...Object.fromEntries(changed.map(name => [name, other[name]])) }
      const changes = findFieldChanges(before, after)
      if (changes === undefined) return
      patched += 1
      const read = store(before)
      expect(applyFieldChanges(read, store(changes))).toEqual(store(after))
      expect(read).toEqual(store(before))
    }),
    { numRuns: scale(2000) },
  )
  expect(patched).toBeGreaterThan(100)
})

test('changes have the fields that differ, and null for a removed field', () => {
  const lease = { holder: 'a', until: 1 }
  const before = { id: 'm', text: 'hello', status: 'N', source: 'api', failures: 0, lease }
  const after = { ...before, status: 'S', lease: undefined }
  expect(findFieldChanges(before, after)).toEqual({ status: 'S', lease: null })
  const { lease: _, ...without } = after
  expect(findFieldChanges(before, without)).toEqual({ status: 'S', lease: null })
})

test('there are no changes if half of the fields differ or one becomes null', () => {
  const before = { a: 1, b: 2, c: 3, d: 4 }
  expect(findFieldChanges(before, { ...before, a: 2 })).toEqual({ a: 2 })
  expect(findFieldChanges(before, { ...before, a: 2, b: 3 })).toBeUndefined()
  expect(findFieldChanges(before, { ...before, a: null })).toBeUndefined()
})
