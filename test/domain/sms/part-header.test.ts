import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultTables } from '../../../src/domain/sms/gsm-alphabet.js'
import {
  encodePartHeader,
  parsePartHeader,
  parseShiftTables,
} from '../../../src/domain/sms/part-header.js'

test('an encoded header is read back as the same position and tables', () => {
  const count = fc.integer({ min: 1, max: 255 })
  const tables = fc.record({ locking: fc.nat(13), single: fc.nat(13) })
  fc.assert(
    fc.property(
      fc.nat(255),
      count,
      fc.nat(254),
      tables,
      fc.boolean(),
      (low, a, b, used, isLong) => {
        const reference = isLong ? 256 + low : low
        const position = { reference, count: Math.max(a, b + 1), number: Math.min(a, b + 1) }
        const header = encodePartHeader(position, used, isLong)
        if (position.count > 1 || used.locking + used.single > 0) {
          expect(header[0]).toBe(header.length - 1)
        } else expect(header).toHaveLength(0)
        const elements = header.subarray(1)
        expect(parsePartHeader(elements)).toEqual(position.count > 1 ? position : undefined)
        expect(parseShiftTables(elements)).toEqual(used)
      },
    ),
  )
})

describe('the position in a header with', () => {
  test.each([
    ['an 8-bit reference', [0, 3, 7, 2, 1], { reference: 7, count: 2, number: 1 }],
    ['a 16-bit reference', [8, 4, 1, 2, 3, 3], { reference: 258, count: 3, number: 3 }],
    ['another element in front', [5, 4, 1, 2, 3, 4, 0, 3, 7, 2, 2], { reference: 7, number: 2 }],
    ['the number 0', [0, 3, 7, 2, 0], undefined],
    ['a number above the count', [0, 3, 7, 2, 3], undefined],
    ['the count 0', [0, 3, 7, 0, 0], undefined],
    ['a wrong length', [0, 2, 7, 1], undefined],
    ['a truncated element', [0, 3, 7, 2], undefined],
    ['no elements', [], undefined],
  ])('%s', (_, elements, expected) => {
    const found = parsePartHeader(Uint8Array.from(elements))
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(expected)
  })
})

describe('the tables in a header with', () => {
  test.each([
    ['a single shift table', [0x24, 1, 2], { locking: 0, single: 2 }],
    ['a locking shift table', [0x25, 1, 13], { locking: 13, single: 0 }],
    ['both and a position', [0, 3, 7, 2, 1, 0x24, 1, 1, 0x25, 1, 3], { locking: 3, single: 1 }],
    ['an unknown language', [0x24, 1, 14], defaultTables],
    ['a wrong length', [0x24, 2, 1, 1], defaultTables],
    ['a truncated element', [0x25, 1], defaultTables],
  ])('%s', (_, elements, tables) => {
    expect(parseShiftTables(Uint8Array.from(elements))).toEqual(tables)
  })
})
