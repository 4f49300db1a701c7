import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openConnection, readStatuses } from './client-connection.js'
import { exchange, formatRequest, startEcho, startHolding, startServer } from './test-server.js'

/** Limits that a test can wait for. */
const short = { headTimeout: 150, bodyTimeout: 300, idleTimeout: 150, replyTimeout: 200 }

const get = (path: string, fields = {}) => formatRequest(`GET ${path}`, fields)

/** Sends a byte now and then until the connection closes. */
async function drip(socket: Socket, closed: Promise<unknown>, every = 20): Promise<void> {
  const timer = setInterval(() => socket.write('x'), every)
  await closed
  clearInterval(timer)
}

describe('a connection is closed with 408', () => {
  test.each([
    ['nothing', ''],
    ['half a head', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['half a method', 'NE'],
    ['half a request line', 'NEXT /api/1/message'],
    ['half a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab'],
    ['half a chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'],
  ])('after %s', async (_, bytes) => {
    const { port } = await startEcho(short)
    expect(readStatuses(await exchange(port, bytes, { ends: false }))).toEqual([408])
  })

  test.each([
    ['a head', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['a request line', 'NEXT /'],
    ['a counted body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'],
    ['a chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n'],
  ])('while %s comes byte by byte', async (_, bytes) => {
    const { port } = await startEcho(short)
    const { socket, write, closed, received } = await openConnection(port)
    await write(bytes)
    await drip(socket, closed)
    expect(readStatuses(received())).toEqual([408])
  })
})

test('an idle connection is closed without a reply, a second later than announced', async () => {
  const { port } = await startEcho(short)
  const { write, replies, closed, received } = await openConnection(port)
  await write(get('/'))
  const [reply = ''] = await replies(1)
  expect(reply).toContain('\r\nConnection: keep-alive\r\nKeep-Alive: timeout=0\r\n')
  const began = performance.now()
  await closed
  expect(performance.now() - began).toBeGreaterThan(1000)
  expect(received()).toBe(reply)
})

test('a body that the handler ignored ends the connection if it does not arrive', async () => {
  const { port } = await startEcho(short)
  const bytes = 'POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab'
  expect(readStatuses(await exchange(port, bytes, { ends: false }))).toEqual([404])
})

test('a request in progress may take longer than every limit', async () => {
  const { port, held } = await startHolding({ ...short, headTimeout: 20, bodyTimeout: 20 })
  const { write, replies, closed } = await openConnection(port)
  let isClosed = false
  void closed.then(() => {
    isClosed = true
  })
  for (const count of [1, 2]) {
    await write(get('/'))
    await expect.poll(() => held.length).toBe(count)
    const began = performance.now()
    await expect.poll(() => performance.now() - began).toBeGreaterThan(300)
    held.at(-1)?.response.sendJson(200, '1')
    expect([(await replies(count)).length, isClosed]).toEqual([count, false])
  }
})

test('a client that does not read its reply is disconnected', async () => {
  const body = Buffer.alloc(64 * 1024 * 1024, 'x')
  const { server, port } = await startServer((_, response) => response.send(200, {}, body), short)
  const { socket, write } = await openConnection(port)
  socket.pause()
  await write(get('/'))
  await expect.poll(() => server.connections).toBe(1)
  await expect.poll(() => server.connections).toBe(0)
})

test('a client that reads a long reply within the limit gets all of it', async () => {
  const body = Buffer.alloc(1024 * 1024, 'x')
  const { port } = await startServer((_, response) => response.send(200, {}, body), short)
  const { write, replies } = await openConnection(port)
  await write(get('/'))
  const [reply = ''] = await replies(1)
  expect(reply.length).toBeGreaterThan(1024 * 1024)
})

test('connections above the limit are closed at once; the end of one makes room', async () => {
  const { server, port } = await startEcho({ connections: 2 })
  const [first, second] = [await openConnection(port), await openConnection(port)]
  await first.write(get('/'))
  await second.write(get('/'))
  await Promise.all([first.replies(1), second.replies(1)])
  const third = await openConnection(port)
  await third.closed
  expect(third.received()).toBe('')
  first.socket.end()
  await first.closed
  await expect.poll(() => server.connections).toBe(1)
  const fourth = await openConnection(port)
  await fourth.write(get('/'))
  expect(await fourth.replies(1)).toHaveLength(1)
})
