import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectionLimits } from '../../../src/net/server/connection-limits.js'
import { HttpConnection, type RequestHandler } from '../../../src/net/server/http-connection.js'
import type { HttpResponse } from '../../../src/net/server/http-response.js'
import { LongReplies } from '../../../src/net/server/long-replies.js'
import { sendPlainRefusal } from '../../../src/net/server/request-tracker.js'
import { UnfinishedBodies } from '../../../src/net/server/unfinished-bodies.js'
import { Metrics } from '../../../src/util/collections/metrics.js'
import { openConnection, readBodies, readStatuses } from './client-connection.js'
import {
  exchange,
  formatRequest,
  readEchoes,
  startEcho,
  startHolding,
  startServer,
} from './test-server.js'

const get = (path: string, fields = {}) => formatRequest(`GET ${path}`, fields)
const post = (path: string, body: string, fields = {}) =>
  formatRequest(`POST ${path}`, fields, body)
const closing = { Connection: 'close' }
const chunked = { 'Transfer-Encoding': 'chunked' }

describe('pipelined requests', () => {
  test('are handled one at a time', async () => {
    const { port, held } = await startHolding()
    const { write, replies } = await openConnection(port)
    await write(get('/a') + get('/b'))
    for (const [at, path] of ['/a', '/b'].entries()) {
      await expect.poll(() => held.map(({ request }) => request.url)).toHaveLength(at + 1)
      held[at]?.response.sendJson(200, JSON.stringify(path))
      await replies(at + 1)
    }
    expect(readBodies(await replies(2))).toEqual(['"/a"', '"/b"'])
  })

  test('beyond 64 KiB are read and answered only after the one in progress', async () => {
    const held: HttpResponse[] = []
    const handler: RequestHandler = ({ url }, response) => {
      if (url === '/first') held.push(response)
      else response.send(204)
    }
    const { port, accepted } = await listenRaw(handler)
    const { write, closed, received } = await openConnection(port)
    const bytes = get('/first') + post('/b', 'x'.repeat(9000)).repeat(40) + get('/last', closing)
    const written = write(bytes)
    const socket = await accepted
    await expect.poll(() => socket.isPaused()).toBe(true)
    expect(socket.bytesRead).toBeLessThan(200_000)
    held[0]?.send(204)
    await Promise.all([written, closed])
    expect(readStatuses(received())).toHaveLength(42)
  })

  test('in very many pieces are all answered', async () => {
    const { port } = await startEcho()
    const bytes = get('/a') + post('/b', 'hello') + get('/c', closing)
    expect(readEchoes(await exchange(port, [...bytes])).map(({ url }) => url)).toEqual([
      ...['/a', '/b', '/c'],
    ])
  })

  test('wait until the client has taken the replies before them', async () => {
    const body = Buffer.alloc(16 * 1024 * 1024, 'x')
    const handled: string[] = []
    const { port } = await startServer(({ url }, response) => {
      handled.push(url)
      response.send(200, {}, url === '/long' ? body : url)
    })
    const { socket, write, closed } = await openConnection(port)
    socket.pause()
    await write(get('/long') + get('/next', closing))
    await expect.poll(() => handled).toEqual(['/long'])
    socket.resume()
    await closed
    expect(handled).toEqual(['/long', '/next'])
  })

  test('with empty lines between them are answered', async () => {
    const { port } = await startEcho()
    const bytes = `\r\n${get('/a')}\r\n\r\n${get('/b', closing)}`
    expect(readEchoes(await exchange(port, bytes))).toHaveLength(2)
  })
})

describe('every accepted request gets its reply', () => {
  test.each([
    ['an invalid request follows', 'N(XT / HTTP/1.1\r\n\r\n', [200, 400]],
    [
      'half a request follows',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab',
      [200, 400],
    ],
    ['half a request line follows', 'NEX', [200, 400]],
    ['bytes of TLS follow', '\x16\x03\x01\x02\x00\x01', [200, 400]],
  ])('when %s', async (_, bytes, statuses) => {
    const { port } = await startEcho()
    expect(readStatuses(await exchange(port, post('/', 'text') + bytes))).toEqual(statuses)
  })

  test('when its body is invalid after the reply: there is no second one', async () => {
    const { port } = await startEcho()
    const { write, replies, closed, received } = await openConnection(port)
    await write(`${formatRequest('POST /early', chunked)}5\r\nhel`)
    await replies(1)
    await write('lo, world\r\n')
    await closed
    expect(readStatuses(received())).toEqual([404])
  })
})

describe('a request with Upgrade', () => {
  const upgrade = { Connection: 'Upgrade', Upgrade: 'h2c' }

  test('is answered like any other, and so are the bytes after it', async () => {
    const { port } = await startEcho()
    const hidden = get('/hidden')
    const bytes = get('/a', upgrade) + post('/b', hidden)
    const echoes = readEchoes(await exchange(port, bytes))
    expect(echoes).toMatchObject([{ url: '/a' }, { url: '/b', body: hidden }])
  })

  test('keeps its body', async () => {
    const { port } = await startEcho()
    const echoes = readEchoes(await exchange(port, post('/a', 'hello', upgrade) + get('/b')))
    expect(echoes).toMatchObject([{ url: '/a', body: 'hello' }, { url: '/b' }])
  })
})

describe('Expect: 100-continue', () => {
  const expecting = { Expect: '100-continue' }

  test('is answered before the body is sent', async () => {
    const { port } = await startEcho()
    const { socket, write, replies } = await openConnection(port)
    const bytes = post('/', 'hello', expecting)
    await write(bytes.slice(0, -5))
    expect((await once(socket, 'data'))[0]).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    await write('hello')
    expect((await replies(1))[0]).toContain('"body":"hello"')
  })

  test('with a reply before the body closes the connection: the body may never come', async () => {
    const { port, handled } = await startEcho()
    const head = post('/early', 'hello', expecting).slice(0, -5)
    const received = await exchange(port, head, { ends: false })
    expect(received).toContain('\r\nConnection: close\r\n')
    expect([readStatuses(received), handled]).toEqual([[404], ['POST /early']])
  })

  test('is ignored in HTTP/1.0, and without a body', async () => {
    const { port } = await startEcho()
    const old = post('/', 'hello', expecting).replace('1.1', '1.0')
    expect(readStatuses(await exchange(port, old))).toEqual([200])
    expect(readStatuses(await exchange(port, get('/', expecting) + get('/')))).toEqual([200, 200])
  })

  test('with another expectation gets 417', async () => {
    const { port } = await startEcho()
    expect(readStatuses(await exchange(port, get('/', { Expect: 'x' })))).toEqual([417])
  })
})

/** A server whose side of the connection a test can look at. */
async function listenRaw(handler: RequestHandler) {
  const metrics = new Metrics()
  const longReplies = new LongReplies(connectionLimits.unread, metrics)
  const unfinishedBodies = new UnfinishedBodies(connectionLimits, metrics)
  const replies = { longReplies, keepAliveFields: '', sendRefusal: sendPlainRefusal }
  const bodies = { unfinishedBodies, getClient: () => '' }
  const options = { handler, limits: connectionLimits, ...replies, ...bodies }
  const server = createServer({ allowHalfOpen: true })
  onTestFinished(() => {
    server.close()
  })
  const accepted = once(server, 'connection').then(([socket]) => {
    new HttpConnection(socket as Socket, options)
    return socket as Socket
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, accepted }
}
