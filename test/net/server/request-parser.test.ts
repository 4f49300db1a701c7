import { expect, test } from 'vitest'
import { readStatuses } from './client-connection.js'
import { exchange, formatRequest, readEchoes, startEcho, startServer } from './test-server.js'

const get = (path: string, fields = {}) => formatRequest(`GET ${path}`, fields)
const post = (path: string, body: string, fields = {}) =>
  formatRequest(`POST ${path}`, fields, body)
const closing = { Connection: 'close' }
const chunked = { 'Transfer-Encoding': 'chunked' }

test.each(['NEXT', 'next', 'X!y', 'a', "!#$%&'*+-.^_`|~0", 'ABCDEFGHIJKLMNOP', 'M-SEARCH'])(
  'the method %s reaches the handler as it was sent',
  async method => {
    const { port } = await startEcho()
    const [echo] = readEchoes(await exchange(port, formatRequest(`${method} /a?b`)))
    expect(echo).toMatchObject({ method, url: '/a?b' })
  },
)

test('header fields are joined by name, and kept raw as they were sent', async () => {
  const seen: unknown[] = []
  const { port } = await startServer(({ headers, rawHeaders }, response) => {
    seen.push({ ...headers }, rawHeaders)
    response.send(204)
  })
  const lines =
    'Host: a\r\nX-One:1\r\nx-one: \t2 \r\nCookie: a=b\r\ncookie: c=d\r\n__proto__: e\r\n'
  await exchange(port, `GET / HTTP/1.1\r\n${lines}\r\n`)
  expect(seen).toEqual([
    { host: 'a', 'x-one': '1, 2', cookie: 'a=b; c=d', ['__proto__']: 'e' },
    ['Host', 'a', 'X-One', '1', 'x-one', '2', 'Cookie', 'a=b', 'cookie', 'c=d', '__proto__', 'e'],
  ])
})

test('requests cut in two at any byte arrive whole', async () => {
  const { port } = await startEcho()
  const body = '2\r\nab\r\n0\r\n\r\n'
  const bytes = `\r\n${formatRequest('NEXT /1', chunked)}${body}${post('/2', 'hello', closing)}`
  const cuts = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1)
  const all = await Promise.all(
    cuts.map(async cut => await exchange(port, [bytes.slice(0, cut), bytes.slice(cut)])),
  )
  const expected = [
    { method: 'NEXT', url: '/1', host: 'localhost', body: 'ab' },
    { method: 'POST', url: '/2', host: 'localhost', body: 'hello' },
  ]
  expect(all.filter(each => JSON.stringify(readEchoes(each)) !== JSON.stringify(expected))).toEqual(
    [],
  )
})

test.each([
  ['17 characters', 'ABCDEFGHIJKLMNOPQ / HTTP/1.1', 501],
  ['no token', 'N(XT / HTTP/1.1', 400],
  ['CONNECT', 'CONNECT relay:80 HTTP/1.1', 501],
  ['HTTP/2.0', 'PRI * HTTP/2.0', 505],
  ['HTTP/1.2', 'GET / HTTP/1.2', 505],
  ['HTTP/0.9', 'GET /', 400],
  ['two spaces', 'GET  / HTTP/1.1', 400],
  ['a space in the target', 'GET /a b HTTP/1.1', 400],
  ['bytes beyond ASCII in the target', 'GET /\xe9 HTTP/1.1', 400],
  ['a fragment', 'GET /#a HTTP/1.1', 400],
  ['a target without a path', 'GET relay HTTP/1.1', 400],
  ['an asterisk', 'GET * HTTP/1.1', 400],
])('a request line with %s gets %3$i', async (_, line, status) => {
  const { port, handled } = await startEcho()
  const received = await exchange(port, `${line}\r\nHost: a\r\n\r\n`, { ends: false })
  expect([readStatuses(received), handled]).toEqual([[status], []])
})

test.each([
  ['bare LFs', 'GET / HTTP/1.1\nHost: a\n\n', 400],
  ['a head above the limit', get('/', { X: 'x'.repeat(16 * 1024) }), 431],
  ['101 fields', formatRequest('GET /', fieldsOf(101)), 431],
])('a request with %s gets %3$i', async (_, bytes, status) => {
  const { port } = await startEcho()
  expect(readStatuses(await exchange(port, bytes, { ends: false }))).toEqual([status])
})

test('chunk extensions are limited in total, not in each chunk', async () => {
  const { port } = await startEcho()
  const chunk = `1;${'a'.repeat(1000)}\r\nx\r\n`
  const send = async (count: number) =>
    readStatuses(
      await exchange(port, `${formatRequest('POST /', chunked)}${chunk.repeat(count)}0\r\n\r\n`),
    )
  expect(await send(4)).toEqual([200])
  expect(await send(5)).toEqual([400])
})

function fieldsOf(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, 'y']))
}
