import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fromSeptets,
  packSeptets,
  toSeptets,
  unpackSeptets,
} from '../../../src/domain/sms/gsm-alphabet.js'

test('packed septets are unpacked to the same septets after any number of fill bits', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(127), { maxLength: 160 }), fc.nat(6), (septets, fill) => {
      const octets = packSeptets(septets, fill)
      expect(unpackSeptets(octets, septets.length, fill)).toEqual(septets)
    }),
  )
})

test('the alphabet has all its characters and no others', () => {
  const all = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà\f^{}\\[~]|€'
  expect(fromSeptets((toSeptets(all) ?? []).flat())).toBe(all)
  for (const other of ['`', 'ç', '\t', '\u001b', '你']) expect(toSeptets(other)).toBeUndefined()
})

test('an unknown extension code is read as a space', () => {
  expect(fromSeptets([0x61, 0x1b, 0x01, 0x62])).toBe('a b')
})
