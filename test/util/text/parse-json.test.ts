import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRepeatedName } from '../../../src/util/text/parse-json.js'

const toEscapes = (text: string) =>
  `"${[...text].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`

test('a name that occurs twice in an object is found in any JSON, however it is written', () => {
  const key = fc.string({ minLength: 1, unit: fc.constantFrom(...'ab"\\:{}[], ') })
  fc.assert(
    fc.property(fc.jsonValue(), key, fc.constantFrom(0, 1, '\t'), (value, name, space) => {
      const once = JSON.stringify({ [name]: [value, { [name]: value }] }, undefined, space)
      expect(findRepeatedName(once)).toBeUndefined()
      const twice = once.replace(/\}([^}]*)\}$/, (_, end) => `,${toEscapes(name)}\n: 1}${end}}`)
      expect(JSON.parse(twice)).toBeDefined()
      expect(findRepeatedName(twice)).toBe(name)
    }),
  )
})
