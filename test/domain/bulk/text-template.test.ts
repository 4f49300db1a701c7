import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillTemplate, getTemplateFields } from '../../../src/domain/bulk/text-template.js'

test.each([
  ['no place', []],
  ['{a} and {b} and {a}', ['a', 'b']],
  ['{alert.labels.name-x} {_1}', ['alert.labels.name-x', '_1']],
  ['{{a}} {{{b}}}', ['b']],
  ['{', undefined],
  ['}', undefined],
  ['{}', undefined],
  ['{1}', undefined],
  ['{a b}', undefined],
  ['{{a}', undefined],
  [`{${'a'.repeat(65)}}`, undefined],
])('the placeholders of %j are %j', (template, names) => {
  expect(getTemplateFields(template)).toEqual(names)
})

const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/)
const literal = fc.string({ maxLength: 8 })
const value = fc.string({ maxLength: 12, unit: 'binary' })

test('a filled template has its literal text around any values', () => {
  const pieces = fc.array(fc.oneof(fc.record({ literal }), fc.record({ name, value })))
  fc.assert(
    fc.property(pieces, parts => {
      const values = new Map(
        parts.flatMap(part => ('name' in part ? [[part.name, part.value]] : [])),
      )
      const template = parts
        .map(part =>
          'name' in part ? `{${part.name}}` : part.literal.replace(/[{}]/g, found => found + found),
        )
        .join('')
      const expected = parts
        .map(part => ('name' in part ? (values.get(part.name) ?? '') : part.literal))
        .join('')
      expect(getTemplateFields(template)).toEqual([...values.keys()])
      expect(fillTemplate(template, each => values.get(each) ?? 'unused')).toBe(expected)
    }),
  )
})

test('a text is a template unless it has stray braces', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', 'a', ' ') }), text => {
      const rest = text.replace(/\{\{|\}\}|\{a+\}/g, '')
      expect(getTemplateFields(text) === undefined).toBe(/[{}]/.test(rest))
    }),
  )
})
