import { expect, test } from 'vitest'
import { findPlanted } from './planted-values.js'

const value = 'a "planted" +1 value/ä'
const url = encodeURIComponent(value)
const json = JSON.stringify(value)

test.each([
  ['as it is', `x ${value} y`],
  ['in a URL', `https://example.com/?a=${url}`],
  ['in a form', `a=${url.replaceAll('%20', '+')}`],
  ['in JSON', `{"a":${json}}`],
  ['in JSON inside of JSON', JSON.stringify({ a: json })],
  ['in base64', Buffer.from(value).toString('base64')],
  ['in base64 after one byte', Buffer.from(`a${value}b`).toString('base64')],
  ['in base64 after two bytes', Buffer.from(`ab${value}bc`).toString('base64url')],
])('a value is found %s', (_, output) => {
  expect(findPlanted(output, ['another value', value])).toEqual([value])
  expect(findPlanted(output.toUpperCase().replace(/[A-Z]/g, 'x'), [value])).toEqual([])
})
