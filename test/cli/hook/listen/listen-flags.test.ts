import { describe, expect, test } from 'vitest'
import {
  parseExpectedStatus,
  parseForwardAddress,
  parseListenFlags,
  parseStartPosition,
} from '../../../../src/cli/hook/listen/listen-flags.js'

const here = 'http://127.0.0.1:8080'
const far = 'https://relay.example.com'

describe('the mode of hook listen', () => {
  test.each([
    [{}, here, 'port'],
    [{}, far, 'stream'],
    [{ stream: true }, here, 'stream'],
    [{ from: '-10' }, here, 'stream'],
    [{ retry: '3', 'forward-to': '3000' }, here, 'stream'],
    [{ stream: false }, here, 'port'],
    [{ port: '0' }, far, 'port'],
    [{ 'public-url': 'http://me:9000' }, far, 'port'],
    [{ 'forward-to': '3000' }, here, 'port'],
    [{ state: '/tmp/x' }, here, 'port'],
  ])('is, with the flags %j and the relay at %s, %s', (flags, url, mode) => {
    expect(parseListenFlags(flags, url).mode).toBe(mode)
  })
})

describe('retries of hook listen', () => {
  test.each([
    [{}, Number.POSITIVE_INFINITY],
    [{ retry: '3' }, 3],
    [{ expect: '2xx' }, 0],
    [{ expect: '2xx', retry: '3' }, 3],
  ])('%j: %d', (flags, retries) => {
    const all = { ...flags, stream: true, 'forward-to': '1' }
    expect(parseListenFlags(all, here).retries).toBe(retries)
  })
})

test.each([
  ['now', { kind: 'now' }],
  ['failed', { kind: 'failed' }],
  ['0', { kind: 'after', after: 0 }],
  ['1', { kind: 'after', after: 0 }],
  ['12', { kind: 'after', after: 11 }],
  ['-3', { kind: 'after', after: -3 }],
])('--from %s is %j', (text, from) => {
  expect(parseStartPosition(text)).toEqual(from)
})

test.each([
  ['2xx', [200, 299], [199, 300, 404]],
  ['4XX', [404], [200]],
  ['204', [204], [200]],
])('--expect %s matches %j and not %j', (text, good, bad) => {
  const pattern = parseExpectedStatus(text)
  const isMatch = (status: number | null) => pattern.test(String(status))
  expect([good.every(isMatch), bad.some(isMatch), isMatch(null)]).toEqual([true, false, false])
})

test.each([
  ['3000', 'http://127.0.0.1:3000'],
  ['localhost:3000/hook?a=1', 'http://localhost:3000/hook?a=1'],
  ['https://u:p@x.example/y', 'https://u:p@x.example/y'],
])('--forward-to %s is %s', (text, address) => {
  expect(parseForwardAddress(text)).toBe(address)
})
