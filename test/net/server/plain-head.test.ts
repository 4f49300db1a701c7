import http from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HeadReader, type PlainHead } from '../../../src/net/server/plain-head.js'
import { exchange, listen, recorder, type Seen } from './raw-server.js'

function readPlainHead(text: string): PlainHead | undefined {
  return new HeadReader().read(text)
}

const line = 'POST /a?b=c HTTP/1.1\r\n'
const host = 'Host: relay\r\n'

test('a plain head is read with its fields by their names in lower case, and the length of its body', () => {
  const fields =
    'HOST: relay\r\nContent-length:5\r\nX-A:  a: b \r\nX-Empty:\r\nconnection: Keep-Alive\r\n'
  expect(readPlainHead(`${line}${fields}\r\nhello`)).toEqual({
    method: 'POST',
    target: '/a?b=c',
    headers: {
      host: 'relay',
      'content-length': '5',
      'x-a': 'a: b',
      'x-empty': '',
      connection: 'Keep-Alive',
    },
    bodyLength: 5,
    length: line.length + fields.length + 2,
  })
})

test.each(['GET', 'NEXT', 'get', 'M-SEARCH', 'ABCDEFGHIJKLMNOP', '!'])(
  'the method %s is read',
  method => {
    expect(readPlainHead(`${method} / HTTP/1.1\r\n${host}\r\n`)?.method).toBe(method)
  },
)

describe('left to a whole parser is', () => {
  test.each([
    ['nothing', ''],
    ['a head without its end', `${line}${host}`],
    ['a request line alone', `${line}\r\n`],
    ['an empty line before', `\r\n${line}${host}\r\n`],
    ['a method of more than 16 characters', `ABCDEFGHIJKLMNOPQ / HTTP/1.1\r\n${host}\r\n`],
    ['no method', ` / HTTP/1.1\r\n${host}\r\n`],
    ['a method with a control character', `G\x00T / HTTP/1.1\r\n${host}\r\n`],
    ['HEAD', `HEAD / HTTP/1.1\r\n${host}\r\n`],
    ['CONNECT', `CONNECT / HTTP/1.1\r\n${host}\r\n`],
    ['PRI', `PRI / HTTP/1.1\r\n${host}\r\n`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/1.0', `GET / HTTP/1.0\r\n${host}\r\n`],
    ['HTTP/1.2', `GET / HTTP/1.2\r\n${host}\r\n`],
    ['no version', `GET /\r\n${host}\r\n`],
    ['two spaces', `GET  / HTTP/1.1\r\n${host}\r\n`],
    ['a tab for a space', `GET\t/ HTTP/1.1\r\n${host}\r\n`],
    ['a space after the version', `GET / HTTP/1.1 \r\n${host}\r\n`],
    ['an absolute target', `GET http://relay/ HTTP/1.1\r\n${host}\r\n`],
    ['an authority for a target', `GET relay:80 HTTP/1.1\r\n${host}\r\n`],
    ['an asterisk for a target', `OPTIONS * HTTP/1.1\r\n${host}\r\n`],
    ['a fragment', `GET /#a HTTP/1.1\r\n${host}\r\n`],
    ['a target beyond ASCII', `GET /\xe9 HTTP/1.1\r\n${host}\r\n`],
    ['a target with a quotation mark', `GET /?a="b" HTTP/1.1\r\n${host}\r\n`],
    ['a line that ends in LF', `GET / HTTP/1.1\n${host}\r\n`],
    ['a field that ends in LF', `${line}Host: relay\n\r\n`],
    ['a head that ends in LF', `${line}${host}\n`],
    ['a field that ends in CR', `${line}Host: relay\r\r\n`],
    ['a CR in a field', `${line}${host}X: a\rb\r\n\r\n`],
    ['a NUL in a field', `${line}${host}X: a\0b\r\n\r\n`],
    ['a control character in a field', `${line}${host}X: a\x0bb\r\n\r\n`],
    ['a DEL in a field', `${line}${host}X: a\x7fb\r\n\r\n`],
    ['a field beyond ASCII', `${line}${host}X: \xe9\r\n\r\n`],
    ['a tab in a field', `${line}${host}X: a\tb\r\n\r\n`],
    ['a folded field', `${line}${host}X: a\r\n b\r\n\r\n`],
    ['a first line that is folded', `${line} X: a\r\n${host}\r\n`],
    ['a space before the colon', `${line}Host : relay\r\n\r\n`],
    ['an empty name', `${line}${host}: a\r\n\r\n`],
    ['a line without a colon', `${line}${host}X\r\n\r\n`],
    ['a name that is no token', `${line}${host}X(a): b\r\n\r\n`],
    ['no Host', `${line}X: a\r\n\r\n`],
    ['two of Host', `${line}${host}${host}\r\n`],
    ['a field given twice', `${line}${host}X-A: a\r\nx-a: b\r\n\r\n`],
    ['a field given twice, once empty', `${line}${host}X-A:\r\nx-a: b\r\n\r\n`],
    ['65 fields', `${line}${host}${fieldLines(64)}\r\n`],
    ['an empty length', `${line}${host}Content-Length:\r\n\r\n`],
    ['a length of +1', `${line}${host}Content-Length: +1\r\n\r\na`],
    ['a length of 01', `${line}${host}Content-Length: 01\r\n\r\na`],
    ['a length of 0x1', `${line}${host}Content-Length: 0x1\r\n\r\na`],
    ['a length of -1', `${line}${host}Content-Length: -1\r\n\r\na`],
    ['a length of 1, 1', `${line}${host}Content-Length: 1, 1\r\n\r\na`],
    ['a length of 1e1', `${line}${host}Content-Length: 1e1\r\n\r\na`],
    ['a length with a tab', `${line}${host}Content-Length: 1\t\r\n\r\na`],
    ['a length of seven digits', `${line}${host}Content-Length: 1000000\r\n\r\na`],
    ['two lengths', `${line}${host}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
    ['a chunked body', `${line}${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['any transfer coding', `${line}${host}Transfer-Encoding: identity\r\n\r\n`],
    ['Upgrade', `${line}${host}Upgrade: websocket\r\n\r\n`],
    ['Expect', `${line}${host}Expect: 100-continue\r\n\r\n`],
    ['Trailer', `${line}${host}Trailer: X\r\n\r\n`],
    ['Proxy-Connection', `${line}${host}Proxy-Connection: close\r\n\r\n`],
    ['Set-Cookie, a list in node', `${line}${host}Set-Cookie: a=b\r\n\r\n`],
    ['__proto__, which node drops', `${line}${host}__proto__: a\r\n\r\n`],
    ['Connection: close', `${line}${host}Connection: close\r\n\r\n`],
    ['Connection: Upgrade', `${line}${host}Connection: keep-alive, Upgrade\r\n\r\n`],
    ['an empty Connection', `${line}${host}Connection:\r\n\r\n`],
    ['a field of the connection', `${line}${host}Connection: x-a\r\n\r\n`],
  ])('%s', (_, text) => {
    expect(readPlainHead(text)).toBeUndefined()
  })
})

const good = <T>(value: T) => ({ arbitrary: fc.constant(value), weight: 12 })
const among = (...values: string[]) => fc.constantFrom(...values)
const tchars = [..."!#$%&'*+-.^_`|~019AZaz"]
const token = fc.string({ unit: among(...tchars), minLength: 1, maxLength: 17 })
const verb = fc.oneof(among(...http.METHODS), among('NEXT', 'get', 'Post', 'SETUP', 'PRI'), token)
const path = fc.string({
  unit: among(...'/?&=;:@!$\'()*+,-._~%aZ09#[]<>\\|^`{}"\x80 '),
  maxLength: 9,
})
const version = fc.oneof(good(' HTTP/1.1'), among(' HTTP/1.0', ' HTTP/1.1 ', '', ' http/1.1'))
const ending = fc.oneof(good('\r\n'), good('\r\n'), among('\n', '\r', '\r\n ', '\r\r\n', ''))
const known = among(
  ...['Content-Length', 'Transfer-Encoding', 'Connection', 'Keep-Alive', 'Upgrade', 'Expect', 'TE'],
  ...['Trailer', 'Cookie', 'Set-Cookie', 'Authorization', 'Content-Type', 'content-LENGTH', 'host'],
  ...['__proto__', 'constructor', 'X-Forwarded-For', 'HTTP2-Settings', 'Proxy-Connection'],
)
const name = fc.oneof({ arbitrary: known, weight: 2 }, token, among('', 'X ', 'X(', '\tX', 'X\0'))
const colon = fc.oneof(good(':'), good(': '), among(':\t', ' :', ':  \t', '', '::'))
const telling = among(
  ...['', '0', '3', '3', '3 ', '3\t', '3 \t', '03', '+3', '0x3', '3,3', '3 3', '1e1', '-0', '٣'],
  ...['chunked', 'identity', 'keep-alive', 'Keep-Alive ', 'close', 'keep-alive, x', 'upgrade'],
  ...['100-continue', 'trailers', 'h2c', 'Bearer x', 'a:b', '"a\\"'],
)
const any = fc.string({ unit: among(...' \t!"~:;,ab\x7f\x80\xff\x0b\0\r\n'), maxLength: 6 })
const printable = fc.string({ unit: among(...' \t!"~:;,ab'), maxLength: 8 })
const value = fc.oneof({ arbitrary: telling, weight: 4 }, { arbitrary: printable, weight: 4 }, any)
const field = fc.tuple(name, colon, value, ending).map(parts => parts.join(''))
const head = fc
  .tuple(verb, path, version, ending, fc.array(field, { maxLength: 5 }), fc.nat(5))
  .map(([method, rest, http1, end, fields, at]) => {
    const lines = [...fields.slice(0, at), host, ...fields.slice(at)]
    return `${method} /${rest}${http1}${end}${lines.join('')}\r\n`
  })
const last = 'GET /end HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n'

test('whatever is read here node reads alike, and finds the next request where it is found here', async () => {
  const seen: Seen[] = []
  const port = await listen(http.createServer(recorder(seen)))
  let read = 0
  await fc.assert(
    fc.asyncProperty(head, async text => {
      const plain = readPlainHead(text)
      fc.pre(plain !== undefined)
      read += 1
      const body = last.slice(0, plain.bodyLength).padEnd(plain.bodyLength, 'x')
      await exchange(port, [text.slice(0, plain.length) + body + last])
      const [first, second, ...others] = seen.splice(0)
      expect(first).toMatchObject({ method: plain.method, url: plain.target, body })
      expect({ ...first?.headers }).toEqual({ ...plain.headers })
      expect(second).toMatchObject({ method: 'GET', url: '/end' })
      expect(others).toEqual([])
    }),
    { seed: 20_991, numRuns: 400, maxSkipsPerRun: 100, interruptAfterTimeLimit: 2_500 },
  )
  expect(read).toBeGreaterThan(20)
})

test.each([
  ['a name without an end', `${line}${'a'.repeat(65_000)}`],
  ['a value without an end', `${line}X:${' '.repeat(65_000)}`],
  ['many fields without an end', line + 'a:\r\n'.repeat(16_000)],
  ['many fields of colons', line + '::a:\r\n'.repeat(10_000)],
  ['many long fields without an end', line + `a:${':a'.repeat(500)}\r\n`.repeat(64)],
  ['a target without an end', `GET /${'/?'.repeat(32_000)}`],
])('%s is given up at once', (_, text) => {
  const began = performance.now()
  expect(readPlainHead(text)).toBeUndefined()
  expect(performance.now() - began).toBeLessThan(1000)
})

test('a reader that has read other heads reads each as one that has not', () => {
  const names = among('Host', 'X-A', 'Content-Length', 'Connection')
  const values = among('', '1', '3', 'a', 'close')
  const lines = fc.array(fc.tuple(names, values), { minLength: 1, maxLength: 3 })
  const similar = fc
    .tuple(
      among('GET', 'NEXT'),
      among('/', '/a'),
      lines,
      among('\r\n', '', '\r\n\r\n', 'X: b\r\n\r\n'),
    )
    .map(([method, target, fields, end]) => {
      const text = fields.map(([key, text]) => `${key}: ${text}\r\n`).join('')
      return `${method} ${target} HTTP/1.1\r\nHost: relay\r\n${text}${end}`
    })
  fc.assert(
    fc.property(fc.array(fc.oneof(similar, head), { maxLength: 12 }), texts => {
      const reader = new HeadReader()
      for (const text of texts) expect(reader.read(text)).toEqual(readPlainHead(text))
    }),
    { seed: 20_992, numRuns: 2000 },
  )
})

test('the last four of different fields are kept, where they are short', () => {
  const reader = new HeadReader()
  const fieldsOf = (value: string, target = '/') =>
    reader.read(`GET ${target} HTTP/1.1\r\n${host}X: ${value}\r\n\r\n`)?.headers
  const [first, ...others] = ['1', '2', '3', '4'].map(value => fieldsOf(value))
  expect(fieldsOf('1', '/other')).toBe(first)
  fieldsOf('5')
  expect(fieldsOf('4')).toBe(others.at(-1))
  expect(fieldsOf('1')).not.toBe(first)
  const long = 'x'.repeat(1024)
  expect(fieldsOf(long)).not.toBe(fieldsOf(long))
})

function fieldLines(count: number): string {
  return Array.from({ length: count }, (_, n) => `X-${n}: a\r\n`).join('')
}
