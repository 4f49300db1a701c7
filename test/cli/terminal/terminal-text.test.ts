import { describe, expect, it, test } from 'vitest'
import {
  cleanOutput,
  cleanText,
  countColumns,
  formatFields,
  formatJson,
  toOneLine,
  truncate,
} from '../../../src/cli/terminal/terminal-text.js'

describe('cleanText', () => {
  it.each([
    ['colors', '\u001b[31mred\u001b[0m', 'red'],
    ['a cleared screen', 'a\u001b[2Jb', 'ab'],
    ['a window title', '\u001b]0;title\u0007text', 'text'],
    ['a link', '\u001b]8;;http://a\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['C1 controls', '\u009b31mred\u0085', 'red'],
    ['BEL and backspace', 'a\u0007\bb', 'ab'],
    ['reordered text', 'a\u202eb', 'ab'],
    ['a lone escape', 'a\u001b', 'a'],
    ['a carriage return', 'good\rbad', 'good\nbad'],
  ])('removes %s', (_, text, cleaned) => expect(cleanText(text)).toBe(cleaned))

  it('preserves letters, line feeds and emoji of several code points', () => {
    expect(cleanText('Grüße\n你好 👩‍👩‍👧')).toBe('Grüße\n你好 👩‍👩‍👧')
  })
})

describe('cleanOutput', () => {
  const text = '\u001b[31mred\u001b[39m\u001b[2J\u001b]0;\u001b[31mtitle\u0007\u001b[8mx\u009b2J'

  it('keeps the styles of commands and nothing else', () => {
    expect(cleanOutput(text, true)).toBe('\u001b[31mred\u001b[39m0;\u001b[31mtitlex')
  })

  it('keeps no styles without colors', () => expect(cleanOutput(text, false)).toBe('red0;titlex'))
})

describe('toOneLine', () => {
  it('joins several lines', () => expect(toOneLine(' a\n\tb\r\n c ')).toBe('a b c'))
})

describe('countColumns', () => {
  it.each([
    ['abc', 3],
    ['你好', 4],
    ['👩‍👩‍👧', 2],
    ['é', 1],
  ])('%s takes %i', (text, columns) => expect(countColumns(text)).toBe(columns))
})

test('JSON for a terminal has no character that could change it', () => {
  const text = 'é\u009b2J\u007f\u202e\n\u001b[2J'
  expect(formatJson(text)).toBe('"é\\u009b2J\\u007f\\u202e\\n\\u001b[2J"')
  expect(JSON.parse(formatJson(text))).toBe(text)
})

describe('truncate', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['你好吗', 4, '你…'],
  ])('%s to %i columns is %s', (text, columns, end) => expect(truncate(text, columns)).toBe(end))
})

describe('formatFields', () => {
  it('aligns values and indents the further lines of a value', () => {
    expect(formatFields({ id: 7, text: 'a\nb' })).toBe('id    7\ntext  a\n      b')
  })
})
