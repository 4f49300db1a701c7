import fc from 'fast-check'
import { expect, it } from 'vitest'
import { useGsmLetters } from '../../../src/domain/sms/fewer-parts.js'
import { countSmsParts } from '../../../src/domain/sms/sms-parts.js'

it.each([
  ['\u201cIt\u2019s \u201ehere\u201c\u2026\u201d', '"It\'s "here"..."'],
  ['9\u201310\u00a0h \u2014 \u00abok\u00bb \u2039a\u203a', '9-10 h - "ok" \'a\''],
  ['a\u200bb\u00adc\ufeff', 'abc'],
  ['caf\u00e9 \u20ac', 'caf\u00e9 \u20ac'],
  ['\u4f60 \u201cx\u201d', '\u4f60 \u201cx\u201d'],
  ['\u200b', '\u200b'],
])('%j becomes %j', (text, expected) => {
  expect(useGsmLetters(text)).toBe(expected)
})

it('a text never needs more parts, and is not empty', () => {
  const characters = fc.constantFrom(...'ab \u2026\u201c\u2019\u2014\u00a0\u200b\u4f60')
  fc.assert(
    fc.property(fc.string({ unit: characters, minLength: 1, maxLength: 400 }), text => {
      const plain = useGsmLetters(text)
      expect(plain).not.toBe('')
      expect(countSmsParts(plain).parts).toBeLessThanOrEqual(countSmsParts(text).parts)
    }),
  )
})
