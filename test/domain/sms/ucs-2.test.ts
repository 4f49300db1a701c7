import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeUcs2, encodeUcs2 } from '../../../src/domain/sms/ucs-2.js'

test('UCS-2 octets are read back as the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      expect(decodeUcs2(encodeUcs2(text))).toBe(text)
    }),
  )
  expect(encodeUcs2('你')).toEqual(Buffer.of(0x4f, 0x60))
})
