// One test for each sentence of RFC 9112 that binds a server, as docs/reference/rfc-9112.md lists.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readStatuses } from './client-connection.js'
import { exchange, readEchoes, startEcho, startServer } from './test-server.js'

const host = 'Host: localhost\r\n'
const get = (path: string, fields = '') => `GET ${path} HTTP/1.1\r\n${host}${fields}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'
/** Sends bytes and a request for `/next` to a server that has to close the connection. */
async function send(bytes: string) {
  const { port, handled } = await startEcho()
  const received = await exchange(port, bytes + get('/next'), { ends: false })
  return { received, statuses: readStatuses(received), echoes: readEchoes(received), handled }
}

/** The same for bytes that leave the connection open: `/next` is answered and closes it. */
async function sendOpen(bytes: string) {
  return await send(bytes + get('/next', 'Connection: close\r\n'))
}

const refused = { statuses: [400], handled: [] }
test('bytes beyond ASCII in a field do not end it', async () => {
  const { statuses, handled } = await sendOpen(get('/', 'X: \xe9\x85\xa0\xff\r\n'))
  expect(statuses).toEqual([200, 200])
  expect(handled).toEqual(['GET /', 'GET /next'])
})

test.each(['GET /\r HTTP/1.1\r\nHost: a\r\n\r\n', get('/', 'X: a\rb\r\n'), get('/', 'X\r: a\r\n')])(
  'a bare CR makes a head invalid: %j',
  async bytes => {
    expect(await send(bytes)).toMatchObject(refused)
  },
)

test.each([' X: a\r\n', '\tX: a\r\n', ' \r\n'])(
  'whitespace before the first field makes a head invalid: %j',
  async line => {
    expect(await send(`GET / HTTP/1.1\r\n${line}${host}\r\n`)).toMatchObject(refused)
  },
)

test('a request line above the limit gets 414', async () => {
  const { statuses, handled } = await send(get(`/${'x'.repeat(20_000)}`))
  expect([statuses, handled]).toEqual([[414], []])
})

test('a request of HTTP/1.1 without Host gets 400, one of HTTP/1.0 does not', async () => {
  expect(await send('GET / HTTP/1.1\r\n\r\n')).toMatchObject(refused)
  expect((await send('GET / HTTP/1.0\r\n\r\n')).statuses).toEqual([200])
})

test.each(['1.1', '1.0'])('two Host fields get 400 in HTTP/%s', async version => {
  expect(await send(`GET / HTTP/${version}\r\n${host}Host: localhost\r\n\r\n`)).toMatchObject(
    refused,
  )
})

test.each(['a b', 'a/b', 'a:b', 'http://a', 'a@b', '[::1', 'a?b', 'a\xe9'])(
  'the Host %j gets 400',
  async value => {
    expect(await send(`GET / HTTP/1.1\r\nHost: ${value}\r\n\r\n`)).toMatchObject(refused)
  },
)

test('a target in absolute-form is accepted', async () => {
  const { echoes } = await sendOpen(get('http://other:8080/a?b'))
  expect(echoes[0]).toMatchObject({ url: '/a?b' })
})

test('the host of an absolute-form replaces the Host field', async () => {
  const { echoes } = await sendOpen(get('http://other:8080?a') + get('/'))
  expect(echoes).toMatchObject([{ url: '/?a', host: 'other:8080' }, { host: 'localhost' }, {}])
})

test('a status line has the space after the code of an unknown status', async () => {
  const { port } = await startServer((_, response) => response.send(599))
  const received = await exchange(port, get('/'))
  expect(received).toMatch(/^HTTP\/1\.1 599 \r\n/)
})

test.each(['X : a', 'Content-Length : 0', 'Transfer-Encoding\t: chunked', 'Host : a'])(
  'whitespace between name and colon gets 400: %j',
  async line => {
    expect(await send(get('/', `${line}\r\n`))).toMatchObject(refused)
  },
)

test.each(['X: a\r\n b', 'X: a\r\n\tb', 'X:\r\n a', 'Content-Length:\r\n 0'])(
  'a continued line gets 400: %j',
  async line => {
    expect(await send(get('/', `${line}\r\n`))).toMatchObject(refused)
  },
)

test('a chunked body is decoded', async () => {
  const body = '5\r\nhello\r\n00A\r\n, world...\r\n0\r\n\r\n'
  const { echoes } = await sendOpen(get('/', chunked) + body)
  expect(echoes).toMatchObject([{ url: '/', body: 'hello, world...' }, { url: '/next' }])
})

test.each(['0', '00000000', '0;a'])('the last chunk %j ends a body', async last => {
  const { echoes } = await sendOpen(`${get('/', chunked)}1\r\na\r\n${last}\r\n\r\n`)
  expect(echoes).toMatchObject([{ url: '/', body: 'a' }, { url: '/next' }])
})

test.each(['identity', 'gzip', 'chunked, identity', 'chunked, chunked', 'xchunked', ''])(
  'the Transfer-Encoding %j gets 400',
  async coding => {
    const bytes = `${get('/', `Transfer-Encoding: ${coding}\r\n`)}0\r\n\r\n`
    expect(await send(bytes)).toMatchObject(refused)
  },
)

test('Transfer-Encoding and Content-Length together get 400', async () => {
  for (const fields of [`${chunked}Content-Length: 5\r\n`, `Content-Length: 5\r\n${chunked}`]) {
    expect(await send(`${get('/', fields)}0\r\n\r\n`)).toMatchObject(refused)
  }
})

test('a chunked body in HTTP/1.0 gets 400', async () => {
  const bytes = `POST / HTTP/1.0\r\n${host}${chunked}\r\n0\r\n\r\n`
  expect(await send(bytes)).toMatchObject(refused)
})

test('a reply to HTTP/1.0 is never chunked', async () => {
  const { port } = await startServer((_, response) => {
    response.startStream(200, {})
    response.write('hello')
    response.endStream()
  })
  const received = await exchange(port, 'GET / HTTP/1.0\r\n\r\n', { ends: false })
  expect(received).not.toMatch(/transfer-encoding/i)
  expect(received).toMatch(/\r\n\r\nhello$/)
})

test.each([204, 304])('a reply with status %i has neither body nor length', async status => {
  const { port } = await startServer((_, response) => response.send(status, {}, 'body'))
  const received = await exchange(port, get('/'))
  expect(received).toMatch(/\r\n\r\n$/)
  expect(received).not.toMatch(/content-length|transfer-encoding/i)
})

test('a reply to HEAD ends with its head', async () => {
  const { port } = await startEcho()
  const received = await exchange(port, `HEAD / HTTP/1.1\r\n${host}\r\n`)
  expect(received).toMatch(/\r\nContent-Length: [1-9]\d*\r\n/)
  expect(received).toMatch(/\r\n\r\n$/)
})

test.each([
  ...['', '+5', '-5', '5,5', '5 5', '0x5', '5;a', '"5"', '9'.repeat(20)],
  ...['5\r\nContent-Length: 5', '5\r\nContent-Length: 6'],
])('the Content-Length %j gets 400', async length => {
  const bytes = `${get('/', `Content-Length: ${length}\r\n`)}hello`
  expect(await send(bytes)).toMatchObject(refused)
})

test.each([get('/', 'Content-Length: 5\r\n'), `${get('/', chunked)}5\r\n`])(
  'a body that breaks off is an error, and the connection closes: %j',
  async bytes => {
    const { port } = await startEcho()
    expect(readStatuses(await exchange(port, `${bytes}abc`))).toEqual([400])
  },
)

test.each(['100000000', 'FFFFFFFFFFFFFFFF1', '1'.repeat(400)])(
  'the chunk size %s is refused and not cut',
  async size => {
    expect((await send(`${get('/', chunked)}${size}\r\na\r\n`)).statuses).toEqual([400])
  },
)

test.each([';a', ';a=b', ';a="b c;\\"d"', ';a;b=c'])(
  'the chunk extension %j is ignored',
  async extension => {
    const bytes = `${get('/', chunked)}1${extension}\r\na\r\n0${extension}\r\n\r\n`
    const { echoes } = await sendOpen(bytes)
    expect(echoes).toMatchObject([{ url: '/', body: 'a' }, { url: '/next' }])
  },
)

test('trailer fields are not merged into the header fields', async () => {
  const { echoes } = await sendOpen(`${get('/', chunked)}0\r\nX-Host: evil\r\nX: a\r\n\r\n`)
  expect(echoes).toMatchObject([{ url: '/', host: 'localhost' }, { url: '/next' }])
})

test.each(['Content-Length: 5', 'Transfer-Encoding: chunked', 'Host: evil'])(
  'the trailer field %j is refused',
  async line => {
    expect((await send(`${get('/', chunked)}0\r\n${line}\r\n\r\n`)).statuses).toEqual([400])
  },
)

test('a body that the handler does not read is not taken for a request', async () => {
  const body = get('/smuggled')
  const bytes = `POST /early HTTP/1.1\r\n${host}Content-Length: ${body.length}\r\n\r\n${body}`
  const { statuses, handled } = await sendOpen(bytes)
  expect(statuses).toEqual([404, 200])
  expect(handled).toEqual(['POST /early', 'GET /next'])
})

test('pipelined requests are answered in the order in which they came', async () => {
  const { port } = await startServer((request, response) => {
    const reply = () => response.sendJson(200, JSON.stringify(request.url))
    if (request.url === '/slow') setImmediate(() => setImmediate(reply))
    else reply()
  })
  const received = await exchange(port, get('/slow') + get('/b') + get('/slow') + get('/d'))
  expect([...received.matchAll(/"(\/\w+)"/g)].map(match => match[1])).toEqual([
    ...['/slow', '/b', '/slow', '/d'],
  ])
})

test.each(['close', 'Close', 'close\t', '\tclose', 'x, close', 'keep-alive, close', 'close,x'])(
  'after a request with Connection: %j, no other one is handled',
  async value => {
    const { received, statuses, handled } = await send(get('/', `Connection: ${value}\r\n`))
    expect([statuses, handled]).toEqual([[200], ['GET /']])
    expect(received).toContain('\r\nConnection: close\r\n')
  },
)

test('after a reply with Connection: close, no other request is handled', async () => {
  const handled: string[] = []
  const { port } = await startServer((request, response) => {
    handled.push(request.url)
    response.startStream(200, {})
    response.endStream()
  })
  const received = await exchange(port, get('/') + get('/next'), { ends: false })
  expect(received).toContain('\r\nConnection: close\r\n')
  expect([readStatuses(received), handled]).toEqual([[200], ['/']])
})

test('docs/reference/rfc-9112.md names each test of this file', async () => {
  const page = await readFile(
    new URL('../../../docs/reference/rfc-9112.md', import.meta.url),
    'utf8',
  )
  const source = await readFile(new URL(import.meta.url), 'utf8')
  const named = [...page.matchAll(/ (.+) \|$/gm)].flatMap(
    ([, name = '']) => name.split('`')[1] ?? [],
  )
  expect(named.filter(name => !source.includes(`'${name}'`))).toEqual([])
  expect(new Set(named).size).toBe((source.match(/^test(?:\.each)?\(/gm) ?? []).length - 1)
})
