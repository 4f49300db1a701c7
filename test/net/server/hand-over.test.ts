import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { open } from '../../server/http/app-rig.js'
import { openService, requestBytes } from './rig.js'
import { bodies, connectTo, serve } from './server-rig.js'

const get = (path: string, fields = {}) => requestBytes(`GET ${path}`, fields)

describe('a request of another kind is answered by node, and so are all that follow', () => {
  test.each([
    ['that comes with the next one', get('/a') + get('/b'), ['"/a"', '"/b"']],
    ['that only node knows', get('/else'), ['"/else"']],
    ['whose head is not whole', get('/a').slice(0, -2), []],
    ['after an empty line', `\r\n${get('/a')}`, ['"/a"']],
    ['that waits for 100', get('/a', { Expect: '100-continue' }), ['"/a"']],
    ['with a long body', requestBytes('PUT /a', {}, 'x'.repeat(65_537)), ['"/a"']],
  ])('%s', async (_, bytes, expected) => {
    const served = await serve()
    const { write, replies } = await connectTo(served)
    await write(bytes)
    await expect.poll(() => served.server.fast.size).toBe(0)
    expect(bodies(await replies(expected.length))).toEqual(expected)
    await write(expected.length === 0 ? '\r\n' : get('/end'))
    expect(await replies(expected.length + 1)).toHaveLength(expected.length + 1)
    expect([served.asked, served.node.length]).toEqual([[], expected.length + 1])
  })
})

test('empty lines between requests are nothing', async () => {
  const served = await serve()
  const { write, read, replies } = await connectTo(served)
  for (const count of [1, 2]) {
    await write(get('/a'))
    const asked = await served.askedFor(count)
    asked.at(-1)?.reply.sendJson(200, '1')
    expect(await replies(count)).toHaveLength(count)
    await write('\r\n')
    await read(count * (get('/a').length + 2))
  }
  expect([served.node, served.server.fast.size]).toEqual([[], 1])
})

describe('what comes while a request is in hand', () => {
  test('is answered by node after it', async () => {
    const served = await serve()
    const { write, read, replies } = await connectTo(served)
    await write(get('/a'))
    const [first] = await served.askedFor(1)
    await write(get('/b'))
    await write(get('/c').slice(0, 9))
    await read(`${get('/a')}${get('/b')}`.length + 9)
    expect(served.node).toEqual([])
    first?.reply.sendJson(200, '"/a"')
    expect(await replies(2)).toHaveLength(2)
    await write(get('/c').slice(9))
    expect(bodies(await replies(3))).toEqual(['"/a"', '"/b"', '"/c"'])
    expect([served.node, served.asked.length]).toEqual([['/b', '/c'], 1])
  })

  test('follows it to node', async () => {
    const served = await serve()
    const { write, read, replies } = await connectTo(served)
    await write(get('/a'))
    const [first] = await served.askedFor(1)
    await write(get('/b'))
    await read(get('/a').length + get('/b').length)
    first?.elsewhere()
    expect(bodies(await replies(2))).toEqual(['"/a"', '"/b"'])
  })

  test('is not read on once it is more than 64 KiB, and read to its end after the reply', async () => {
    const served = await serve()
    const { write, replies, theirs } = await connectTo(served)
    await write(get('/a'))
    const [first] = await served.askedFor(1)
    void write(requestBytes('PUT /b', {}, 'x'.repeat(9000)).repeat(40))
    await expect.poll(() => theirs.isPaused()).toBe(true)
    expect(served.node).toEqual([])
    expect(theirs.bytesRead).toBeLessThan(200_000)
    first?.reply.sendJson(200, '"/a"')
    expect(bodies(await replies(41))).toEqual(['"/a"', ...Array(40).fill('"/b"')])
  })

  test('is read on in very many pieces', async () => {
    const served = await serve()
    const { write, read, replies } = await connectTo(served)
    await write(get('/a'))
    const [first] = await served.askedFor(1)
    for (const [at, byte] of [...get('/b').repeat(5)].entries()) {
      await write(byte)
      await read(get('/a').length + at + 1)
    }
    first?.reply.sendJson(200, '"/a"')
    expect(bodies(await replies(6))).toEqual(['"/a"', ...Array(5).fill('"/b"')])
  })
})

test('requests behind a reply that is not taken are answered by node in their order', async () => {
  const served = await serve()
  const { socket, write, theirs, received, closed } = await connectTo(served)
  socket.pause()
  await write(get('/long'))
  await expect.poll(() => theirs.writableLength).toBeGreaterThan(0)
  await write(get('/b'))
  await expect.poll(() => served.node).toEqual(['/b'])
  await write(get('/c') + get('/d', { Connection: 'close' }))
  socket.resume()
  await closed
  const order = received()
    .slice(-1000)
    .matchAll(/"(\/.)"/g)
  expect([...order].map(([, path]) => path)).toEqual(['/b', '/c', '/d'])
  expect([served.node, served.asked]).toEqual([['/b', '/c', '/d'], []])
})

describe('a connection that was handed over', () => {
  const listeners = (socket: Socket) =>
    Object.fromEntries(socket.eventNames().map(name => [name, socket.listenerCount(name)]))

  test('has the listeners and the timer of node alone', async () => {
    const fast = await serve()
    const { theirs, ...ours } = await connectTo(fast)
    await ours.write(get('/else').slice(0, -1))
    await expect.poll(() => fast.server.fast.size).toBe(0)
    expect(theirs.timeout).toBe(0)
    await ours.write(get('/else').slice(-1))
    await ours.replies(1)
    const bare = await openService({ fast: false })
    onTestFinished(bare.end)
    const { theirs: other, ...others } = await connectTo(bare)
    await others.write(get('/oauth'))
    await others.replies(1)
    const { close: closes = 0, ...rest } = listeners(other)
    expect(listeners(theirs)).toEqual({ ...rest, close: closes + 1 })
    expect(theirs.timeout).toBe(other.timeout)
  })

  test('may be reset', async () => {
    const served = await serve()
    const { write, replies, socket, theirs } = await connectTo(served)
    await write(get('/else'))
    await replies(1)
    const gone = new Promise(resolve => theirs.once('close', resolve))
    socket.resetAndDestroy()
    await gone
    expect(served.server.owed.size).toBe(0)
  })

  test('is none where it was ended while its client ended it, with half a body', async () => {
    const served = await serve()
    const { write, read, socket, theirs } = await connectTo(served)
    const bytes = requestBytes('PUT /a', {}, 'hello').slice(0, -1)
    await write(bytes)
    await read(bytes.length)
    const gone = new Promise(resolve => theirs.once('close', resolve))
    theirs.prependOnceListener('end', () => served.server.closeAllConnections())
    socket.end()
    await gone
    expect([served.node, served.server.fast.size]).toEqual([[], 0])
  })

  test('is none where the client is gone already', async () => {
    const served = await serve()
    const { write, socket, theirs } = await connectTo(served)
    await write(get('/a'))
    const [first] = await served.askedFor(1)
    const gone = new Promise(resolve => theirs.once('close', resolve))
    socket.resetAndDestroy()
    await gone
    first?.elsewhere()
    expect([served.node, served.server.fast.size, served.server.owed.size]).toEqual([[], 0, 0])
  })
})

test('a head that node finds too long is refused, with an unknown method too', async () => {
  const head = 1024
  const [fast, bare] = [await serve({ head }), await openService({ fast: false, limits: { head } })]
  onTestFinished(bare.end)
  const refused = async (port: number, bytes: string) => {
    const { write, replies, closed, received } = await open(port)
    await write(bytes)
    await Promise.race([replies(1), closed, fast.askedFor(1)])
    return received().startsWith('HTTP/1.1 431 ')
  }
  for (let length = head - 60; length <= head + 20; length += 8) {
    const plain = requestBytes('NEXT /oauth', { X: '' })
    const bytes = requestBytes('NEXT /oauth', { X: 'x'.repeat(length - plain.length) })
    expect(await refused(fast.port, bytes)).toBe(await refused(bare.port, bytes))
  }
})

test('an event stream is sent by node', async () => {
  const service = await openService({ fast: true })
  onTestFinished(service.end)
  const { write, received } = await connectTo(service)
  const fields = { Authorization: `Bearer ${service.tokens.api}`, Accept: 'text/event-stream' }
  await write(get('/api/1/event', fields))
  await expect.poll(received).toMatch(/^HTTP\/1\.1 200 OK\r\nVary: Accept\r\n[\s\S]*: ok/)
  expect(service.server.fast.size).toBe(0)
})
