import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Child,
  Fragment,
  type Html,
  h,
  renderDocument,
} from '../../../../src/server/dashboard/components/html.js'

const folder = join(import.meta.dirname, '../../../../src/server/dashboard')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
  /\.tsx?$/.test(file),
)

test('children are escaped at any depth; booleans, null and undefined render nothing', () => {
  const list = ['<b>', ['&amp;', h('i', null, '"', "'")], 0, 1, true, false, null, undefined]
  expect(String(h('p', null, list))).toBe('<p>&lt;b>&amp;amp;<i>&#34;&#39;</i>01</p>')
})

test('a component gets children from JSX or from its properties', () => {
  const Bold = ({ children }: { readonly children?: Child }) => h('b', null, children)
  expect(String(h(Bold, null, '<'))).toBe('<b>&lt;</b>')
  expect(String(h(Bold, { children: '<' }))).toBe('<b>&lt;</b>')
})

test('an object with toString is escaped like text', () => {
  const forged = { toString: () => '<script>' } as unknown as Html
  expect(String(h('p', null, forged))).toBe('<p>&lt;script></p>')
})

test('an attribute with quotes and entities is read back unchanged by a browser', () => {
  expect(String(h('input', { value: '"><b>&quot;' }))).toBe(
    '<input value="&#34;>&lt;b>&amp;quot;"/>',
  )
})

test('the first line break of a textarea is preserved', () => {
  expect(String(h('textarea', null, '\ntext'))).toBe('<textarea>\n\ntext</textarea>')
})

test.each(['style', 'onclick', 'attrs', 'onClick', 'x onload', 'a"b', '__proto'])(
  'the attribute %s throws',
  name => {
    expect(() => h('p', { [name]: 'x' })).toThrow(TypeError)
  },
)

test.each(['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', 'JaVaScRiPt:x'])(
  'the address %j is omitted',
  href => {
    expect(String(h('a', { href }, 'x'))).toBe('<a>x</a>')
  },
)

test('property: no text closes an element or an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), text => {
      const html = String(h('p', { title: text }, h(Fragment, null, text)))
      const [, attribute = '', child = ''] = /^<p title="([^"<]*)">([^<]*)<\/p>$/s.exec(html) ?? []
      return decode(attribute) === text && decode(child) === text
    }),
  )
})

test('a document begins with its doctype', () => {
  expect(renderDocument(h('html', null))).toBe('<!doctype html>\n<html></html>\n')
})

test('only html.ts creates Html', () => {
  const creators = sources.filter(file =>
    /new Html\(/.test(readFileSync(join(folder, file), 'utf8')),
  )
  expect(creators).toEqual(['components/html.ts'])
})

test('every .tsx file uses the JSX function that escapes', () => {
  const pages = sources.filter(file => file.endsWith('.tsx'))
  expect(pages.length).toBeGreaterThan(5)
  const others = pages.filter(file => {
    const text = readFileSync(join(folder, file), 'utf8')
    return (
      !/import \{[^}]*\bh\b[^}]*\} from '(?:\.|(?:\.\.\/)*\.\.)\/(?:components\/)?html\.js'/.test(
        text,
      ) || /@kitajs|@jsx/.test(text)
    )
  })
  expect(others).toEqual([])
})

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
