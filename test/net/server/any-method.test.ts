import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { Readable } from 'node:stream'
import express from 'express'
import ky from 'ky'
import { Agent, request as undiciRequest } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { acceptAnyMethod } from '../../../src/net/server/any-method.js'
import { exchange, listen, recorder, type Seen } from './raw-server.js'

const last = 'Host: a\r\nConnection: close\r\n\r\n'
const statuses = (reply: string) => [...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => match[1])
const methods = (seen: Seen[]) => seen.map(entry => entry.method)

async function recording(options: http.ServerOptions = {}) {
  const seen: Seen[] = []
  const server = http.createServer(options, recorder(seen))
  return { seen, server, port: await listen(server) }
}

test.each([
  'NEXT',
  'next',
  'X!y',
  'head',
  'a',
  "!#$%&'*+-.^_`|~0",
  'GETS',
  'PLAY',
  'ABCDEFGHIJKLMNOP',
])('the method %s reaches the handler as it was sent, without a trace of how', async method => {
  const { seen, port } = await recording()
  await exchange(port, [`${method} /a?b HTTP/1.1\r\nX-One: 1\r\nx-one: 2\r\n${last}`])
  expect(seen).toEqual([
    {
      method,
      url: '/a?b',
      rawHeaders: ['X-One', '1', 'x-one', '2', 'Host', 'a', 'Connection', 'close'],
      headers: { 'x-one': '1, 2', host: 'a', connection: 'close' },
      distinct: expect.objectContaining({ 'x-one': ['1', '2'], host: ['a'] }),
      body: '',
      trailers: [],
    },
  ])
  expect(Object.keys(seen[0]?.distinct ?? {})).toEqual(['x-one', 'host', 'connection'])
})

test('known and unknown methods mix on one pipelined connection', async () => {
  const { seen, port } = await recording()
  const reply = await exchange(port, [
    'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nNEXT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc\r\n' +
      'POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;x="y"\r\nNEXT\r\n0\r\nT: u\r\n\r\n' +
      `put /4 HTTP/1.1\r\n${last}`,
  ])
  expect(statuses(reply)).toEqual(['200', '200', '200', '200'])
  expect(methods(seen)).toEqual(['GET', 'NEXT', 'POST', 'put'])
  expect(seen.map(entry => entry.body)).toEqual(['', 'abc', 'NEXT', ''])
  expect(seen[2]?.trailers).toEqual(['T', 'u'])
})

test('requests cut in two at any byte arrive whole', async () => {
  const { seen, port } = await recording()
  const bytes = `\r\nNEXT /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\nFOO / HTTP/1.1\r\n${last}`
  const cuts = Array.from({ length: bytes.length - 1 }, (_, i) => i + 1)
  await Promise.all(cuts.map(cut => exchange(port, [bytes.slice(0, cut), bytes.slice(cut)])))
  expect(seen.length).toBe(2 * cuts.length)
  expect(seen.filter(entry => entry.method === 'NEXT' && entry.body === 'ab').length).toBe(
    cuts.length,
  )
  expect(seen.filter(entry => entry.method === 'FOO').length).toBe(cuts.length)
})

test.each([
  ['17 characters', `ABCDEFGHIJKLMNOPQ / HTTP/1.1\r\n${last}`, '400'],
  ['no token', `N(XT / HTTP/1.1\r\n${last}`, '400'],
  ['HTTP/2', `NEXT / HTTP/2.0\r\n${last}`, '400'],
  ['HTTP/0.9', 'NEXT /\r\n\r\n', '400'],
  ['two spaces', `NEXT  / HTTP/1.1\r\n${last}`, '400'],
  ['a bare LF', 'NEXT / HTTP/1.1\nHost: a\n\n', '400'],
  ['two lengths', `NEXT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${last}`, '400'],
  [
    'a length and chunks',
    `NEXT / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${last}`,
    '400',
  ],
  ['no Host', 'NEXT / HTTP/1.1\r\n\r\n', '400'],
  ['a head of 20 kB', `NEXT / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${last}`, '431'],
  [
    'a head of 20 kB and a known method',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${last}`,
    '431',
  ],
  ['a request line of 20 kB', `NEXT /${'x'.repeat(20_000)} HTTP/1.1\r\n${last}`, '400 431'],
])('a request with %s is refused by the parser', async (_, bytes, status) => {
  const { seen, port } = await recording()
  const answers = statuses(await exchange(port, [bytes]))
  expect(answers.length).toBe(1)
  expect(status.split(' ')).toContain(answers[0])
  expect(seen).toEqual([])
})

test('half a request line before the end is a client error, once', async () => {
  const { server, port } = await recording()
  const codes: unknown[] = []
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    codes.push(error.code)
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  const socket = net.connect(port, '127.0.0.1')
  socket.end('NEX')
  expect(String((await once(socket, 'data'))[0])).toContain('400')
  await once(socket, 'close')
  expect(codes).toEqual(['HPE_INVALID_METHOD'])
})

test('a request line that drips in for longer than headersTimeout is given to the parser', async () => {
  let time = 0
  const server = http.createServer({ headersTimeout: 1_000 }, recorder([]))
  acceptAnyMethod(server, () => time)
  const port = await listen(server, false)
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  const [accepted] = (await once(server, 'connection')) as [net.Socket]
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'data')
  for (const piece of ['NE', 'XT']) {
    socket.write(piece)
    await once(accepted, 'data')
    time += 1_001
  }
  expect(
    String(
      (
        await once(
          socket.once('error', () => {}),
          'data',
        )
      )[0],
    ),
  ).toContain('400')
})

test.each([
  'Content-Length: 5\r\n 6',
  'Content-Length: +5',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
])('after %j nothing is rewritten any more', async field => {
  const { seen, port } = await recording()
  await exchange(port, [
    `POST / HTTP/1.1\r\nHost: a\r\n${field}\r\n\r\n0\r\n\r\nNEXT / HTTP/1.1\r\n${last}`,
  ])
  expect(methods(seen)).not.toContain('NEXT')
})

test('listeners of every kind see the true method, whenever they were added', async () => {
  const server = http.createServer()
  const seen: string[] = []
  const note = (name: string) => (request: http.IncomingMessage, response: http.ServerResponse) => {
    seen.push(`${name} ${request.method} ${request.rawHeaders.length}`)
    if (!response.headersSent) response.end()
  }
  server.on('request', note('before'))
  const port = await listen(server)
  server.prependListener('request', note('after'))
  server.on('checkContinue', note('continue'))
  server.on('checkExpectation', note('expectation'))
  await exchange(port, [`NEXT / HTTP/1.1\r\n${last}`])
  await exchange(port, [`NEXT / HTTP/1.1\r\nExpect: 100-continue\r\n${last}`])
  await exchange(port, [`NEXT / HTTP/1.1\r\nExpect: else\r\n${last}`])
  expect(seen).toEqual(['after NEXT 4', 'before NEXT 4', 'continue NEXT 6', 'expectation NEXT 6'])
})

test('custom message classes are kept', async () => {
  class Incoming extends http.IncomingMessage {}
  class Outgoing extends http.ServerResponse {}
  const server = http.createServer({ IncomingMessage: Incoming, ServerResponse: Outgoing })
  server.on('request', (request, response) => {
    response.end(`${request.method} ${request instanceof Incoming && response instanceof Outgoing}`)
  })
  const reply = await exchange(await listen(server), [`NEXT / HTTP/1.1\r\n${last}`])
  expect(reply).toContain('NEXT true')
})

test('Expect: 100-continue is answered before the body is sent', async () => {
  const { seen, port } = await recording()
  const socket = net.connect(port, '127.0.0.1')
  socket.write(`NEXT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${last}`)
  expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('ab')
  await once(socket.resume(), 'close')
  expect(seen.map(entry => [entry.method, entry.body])).toEqual([['NEXT', 'ab']])
})

test('an upgraded connection is handed over with its bytes untouched', async () => {
  const { server, port } = await recording()
  server.on('upgrade', (request, socket, head) => {
    socket.write(`${request.method} ${request.rawHeaders[0]} ${head}`)
    socket.on('data', data => socket.end(String(data)))
  })
  const socket = net.connect(port, '127.0.0.1')
  const upgrade = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
  socket.write(`NEXT / HTTP/1.1\r\n${upgrade}FOO / HTTP/1.1\r\n`)
  expect(String((await once(socket, 'data'))[0])).toBe('NEXT Host FOO / HTTP/1.1\r\n')
  socket.write('BAR / HTTP/1.1\r\n')
  expect(String((await once(socket, 'data'))[0])).toBe('BAR / HTTP/1.1\r\n')
  await once(socket, 'close')
})

test('a connection goes on after an upgrade that nobody took up', async () => {
  const { seen, port } = await recording()
  const socket = net.connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
  await once(socket, 'data')
  socket.write(`NEXT / HTTP/1.1\r\n${last}`)
  await once(socket.resume(), 'close')
  expect(methods(seen)).toEqual(['GET', 'NEXT'])
})

test('fetch, undici and ky reach the handler on one connection each', async () => {
  const { seen, port } = await recording()
  const url = `http://127.0.0.1:${port}/`
  const dispatcher = new Agent({ connections: 1 })
  onTestFinished(() => dispatcher.close())
  for (const body of ['a', 'bc']) {
    expect(await (await fetch(url, { method: 'NEXT', body })).text()).toBe(`/ ${body.length}`)
    // biome-ignore format: one call
    const reply = await undiciRequest(url, { method: 'NEXT' as 'GET', body, dispatcher })
    expect(await reply.body.text()).toBe(`/ ${body.length}`)
    expect(await ky(url, { method: 'NEXT', body }).text()).toBe(`/ ${body.length}`)
  }
  expect(methods(seen)).toEqual(Array(6).fill('NEXT'))
})

test('10 MB in chunks arrive whole at a reader that pauses', async () => {
  const server = http.createServer(async (request, response) => {
    let bytes = 0
    for await (const piece of request) {
      bytes += piece.length
      await new Promise(setImmediate)
    }
    response.end(`${request.method} ${bytes}`)
  })
  const url = `http://127.0.0.1:${await listen(server)}/`
  const body = async function* () {
    for (let i = 0; i < 160; i++) yield Buffer.alloc(65_536, 'NEXT / HTTP/1.1\r\n')
  }
  const reply = await undiciRequest(url, { method: 'NEXT' as 'GET', body: Readable.from(body()) })
  expect(await reply.body.text()).toBe('NEXT 10485760')
})

test('an Express app sees the true method', async () => {
  const app = express()
  app.use((request, response) => {
    response.send(`${request.method} ${request.get('host') !== undefined}`)
  })
  const port = await listen(http.createServer((request, response) => app(request, response)))
  const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'NEXT' })
  expect(await reply.text()).toBe('NEXT true')
})
