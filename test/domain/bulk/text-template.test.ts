import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fillTemplate,
  getTemplateFields,
  splitTemplate,
} from '../../../src/domain/bulk/text-template.js'

test.each([
  ['no place', []],
  ['{a} and {b} and {a}', ['a', 'b']],
  ['{alert.labels.name-x} {_1}', ['alert.labels.name-x', '_1']],
  ['{{a}} {{{b}}}', ['b']],
  ['{a|b.c|"no {{ a | text"} {a|no text} {b.c|}', undefined],
  ['{a|b.c|"a | text"} {d|no text} {e|}', ['a', 'b.c', 'd', 'e']],
  ['{a|"no end}', undefined],
  ['{"a"}', undefined],
  ['{a|no text|b}', undefined],
  ['{', undefined],
  ['}', undefined],
  ['{}', undefined],
  ['{1}', undefined],
  ['{a b}', undefined],
  ['{{a}', undefined],
  [`{${'a'.repeat(65)}}`, undefined],
])('the placeholders of %j are %j', (template, names) => {
  expect(getTemplateFields(template)?.map(each => each.name)).toEqual(names)
})

test.each([
  ['{a|b}', 'B', []],
  ['{a|none|"no text"}', 'no text', []],
  ['{ blank | b }', 'B', []],
  ['{b|a}', 'B', []],
  ['{none|blank} {a|""}{none|}', ' ', ['none', 'blank']],
  ['{none|no text}', 'no text', []],
])('%j is filled to %j without %j', (template, text, missing) => {
  const values: Record<string, string> = { b: 'B', blank: ' ' }
  expect(fillTemplate(splitTemplate(template), name => values[name])).toEqual({ text, missing })
})

const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/)
const literal = fc.string({ maxLength: 8 })
const value = fc.string({ maxLength: 12, unit: 'binary' }).filter(text => text.trim() !== '')

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
      expect(getTemplateFields(template)?.map(each => each.name)).toEqual([...values.keys()])
      expect(fillTemplate(splitTemplate(template), each => values.get(each)).text).toBe(expected)
    }),
  )
})

test('a text is a template unless it has stray braces', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', 'a', ' ') }), text => {
      const rest = text.replace(/\{\{|\}\}|\{ *a+ *\}/g, '')
      expect(getTemplateFields(text) === undefined).toBe(/[{}]/.test(rest))
    }),
  )
})
