import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRelayError } from '../../../src/errors.js'
import { parseForm } from '../../../src/server/http/form-body.js'

test.each<[string, Record<string, string>]>([
  ['', {}],
  ['&', {}],
  ['&&a=1&&', { a: '1' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=', { '': '' }],
  ['=1', { '': '1' }],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=1=2', { a: '1=2' }],
  ['a=x+y', { a: 'x y' }],
  ['a=x%20y', { a: 'x y' }],
  ['a=x%2By', { a: 'x+y' }],
  ['a%20b=1', { 'a b': '1' }],
  ['a+b=1', { 'a b': '1' }],
  ['a=%26%3D', { a: '&=' }],
  ['a=%F0%9F%93%B1', { a: '\u{1f4f1}' }],
  ['a=ü', { a: 'ü' }],
  ['a=%00', { a: '\0' }],
  ['a=1;b=2', { a: '1;b=2' }],
  ['a[b]=1', { 'a[b]': '1' }],
  ['a=1&A=2', { a: '1', A: '2' }],
  ['constructor=1&toString=2', { constructor: '1', toString: '2' } as never],
])('%j is parsed to %j', (text, fields) => {
  expect({ ...parseForm(text) }).toEqual(fields)
})

test('a field named __proto__ is a field and changes no prototype', () => {
  const fields = parseForm('__proto__=x&a=1')
  expect(Object.entries(fields)).toEqual([
    ['__proto__', 'x'],
    ['a', '1'],
  ])
  expect(Object.getPrototypeOf(fields)).toBeNull()
  expect(fields.toString).toBeUndefined()
})

test.each([
  'a=%',
  'a=%2',
  'a=%zz',
  'a=%%20',
  '%=1',
  'a=1&b=%G0',
  'a=%FF',
  'a=%C3',
  'a=%ED%A0%80',
  'a=%C0%80',
])('%s has a malformed percent-encoding', text => {
  expect(getError(text)).toMatch(/percent-encoding/)
})

test.each(['a=1&a=2', 'a=1&a=1', 'a&a', 'a=1&%61=2', '__proto__=1&__proto__=2', '=&='])(
  '%s has a repeated field',
  text => {
    expect(getError(text)).toMatch(/must be given once/)
  },
)

test('property: an encoded form is parsed to the same fields', () => {
  const text = fc.string({ unit: 'binary', maxLength: 8 })
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name }), pairs => {
      const fields = parseForm(new URLSearchParams(pairs).toString())
      expect(Object.entries(fields).toSorted(byName)).toEqual(pairs.toSorted(byName))
    }),
  )
})

test('property: any text is parsed or is invalid_request', () => {
  const pieces = fc.constantFrom(
    '%',
    '&',
    '=',
    '+',
    'a',
    '2',
    'F',
    '__proto__',
    '\u0000',
    '\u{1f4f1}',
  )
  fc.assert(
    fc.property(
      fc.array(pieces).map(all => all.join('')),
      text => {
        expect(['string', 'undefined']).toContain(typeof getError(text))
      },
    ),
  )
})

/** Returns the sentence of the error; undefined if the form is valid. */
function getError(text: string): string | undefined {
  try {
    parseForm(text)
    return undefined
  } catch (error) {
    if (isRelayError(error, 'invalid_request')) return error.message
    throw error
  }
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : Number(a > b)
}
