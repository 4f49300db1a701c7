import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { requestBytes } from './rig.js'
import { allShort, connectTo, long, serve, short } from './server-rig.js'

const get = (path: string) => requestBytes(`GET ${path}`)
const post = (path: string, body: string) => requestBytes(`POST ${path}`, {}, body)

describe('a connection on the fast path', () => {
  test('that says nothing gets 408', async () => {
    const { closed, received } = await connectTo(await serve(allShort))
    await closed
    expect(received()).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
  })

  test('that is idle is closed without a word, a second later than it was told', async () => {
    const served = await serve(short)
    const { write, replies, closed, received } = await connectTo(served)
    await write(get('/a'))
    const [asked] = await served.askedFor(1)
    asked?.reply.sendJson(200, '1')
    const [reply = ''] = await replies(1)
    expect(reply).toContain('Connection: keep-alive\r\nKeep-Alive: timeout=0\r\n')
    const began = performance.now()
    await closed
    expect(performance.now() - began).toBeGreaterThan(1000)
    expect(received()).toBe(reply)
  })

  test('may have a request in hand for longer than every limit, the first and later ones', async () => {
    const served = await serve(allShort)
    const { write, replies, theirs } = await connectTo(served)
    for (const count of [1, 2]) {
      const timedOut = once(theirs, 'timeout')
      await write(get('/a'))
      const asked = await served.askedFor(count)
      await timedOut
      asked.at(-1)?.reply.sendJson(200, '1')
      expect(await replies(count)).toHaveLength(count)
    }
    expect([served.node, theirs.destroyed]).toEqual([[], false])
  })
})

describe('a body', () => {
  test('that comes in pieces is put together, also when that takes longer than a head may', async () => {
    const served = await serve(allShort)
    const { write, read, theirs } = await connectTo(served)
    const timedOut = once(theirs, 'timeout')
    const body = 'hello'
    const bytes = post('/a', body)
    const start = bytes.length - body.length
    await write(bytes.slice(0, start))
    await timedOut
    for (let at = start; at < bytes.length; at += 1) {
      await write(bytes.slice(at, at + 1))
      await read(at + 1)
    }
    expect(await served.askedFor(1)).toMatchObject([{ url: '/a', body }])
  })

  test('that comes late is read by node', async () => {
    const served = await serve()
    const { write, replies } = await connectTo(served)
    const bytes = post('/a', 'hello')
    await write(bytes.slice(0, -1))
    await expect.poll(() => served.server.fast.size).toBe(0)
    await write(bytes.slice(-1))
    const [reply] = await replies(1)
    expect(reply).toMatch(/^HTTP\/1\.1 200 [\s\S]*"\/a"$/)
    expect([served.asked, served.node]).toEqual([[], ['/a']])
  })

  test('that never ends gets 408 from node', async () => {
    const { write, closed, received } = await connectTo(await serve(allShort))
    await write(post('/a', 'hello').slice(0, -1))
    await closed
    expect(received()).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('that breaks off gets 400, as from node', async () => {
    const { write, socket, closed, received } = await connectTo(await serve())
    await write(post('/a', 'hello').slice(0, -1))
    socket.end()
    await closed
    expect(received()).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
  })
})

describe('a client that does not take its reply', () => {
  test('is cut off', async () => {
    const { socket, write, closed, theirs } = await connectTo(await serve(short))
    socket.pause()
    const cutOff = once(theirs, 'close')
    await write(get('/long'))
    await cutOff
    socket.resume()
    await closed
  })

  test('has all the time for that, however short idle connections are kept', async () => {
    const served = await serve({ idleTimeout: 1, replyTimeout: 10_000 })
    const { socket, write, received, theirs } = await connectTo(served)
    socket.pause()
    const timedOut = once(theirs, 'timeout')
    await write(get('/long'))
    await timedOut
    socket.resume()
    await expect.poll(() => received().length, { interval: 10 }).toBeGreaterThan(long)
  })
})
