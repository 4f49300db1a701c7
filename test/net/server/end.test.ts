import { describe, expect, onTestFinished, test } from 'vitest'
import { close } from '../../../src/net/server/http-server.js'
import { openService, requestBytes } from './rig.js'
import { connectTo, serve } from './server-rig.js'

const get = (path: string) => requestBytes(`GET ${path}`)

describe('closing', () => {
  test('waits for the request in hand, whose reply says that the connection ends', async () => {
    const served = await serve()
    const [used, silent, idle] = [
      await connectTo(served),
      await connectTo(served),
      await connectTo(served),
    ]
    await idle.write(get('/a'))
    const [first] = await served.askedFor(1)
    first?.reply.sendJson(200, '1')
    await idle.replies(1)
    await used.write(get('/b'))
    const [, second] = await served.askedFor(2)
    const ended = close(served.server, 60_000)
    await Promise.all([idle.closed, silent.closed])
    second?.reply.sendJson(200, '2')
    await Promise.all([ended, used.closed])
    expect(used.received()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n\r\n2$/)
    expect(idle.received()).toContain('Connection: keep-alive')
  })

  test('waits for a body', async () => {
    const served = await serve()
    const { write, read, closed, received } = await connectTo(served)
    const bytes = requestBytes('PUT /a', {}, 'hello')
    await write(bytes.slice(0, -1))
    await read(bytes.length - 1)
    const ended = close(served.server, 60_000)
    await write(bytes.slice(-1))
    await Promise.all([ended, closed])
    expect(received()).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close[\s\S]*"\/a"$/)
  })

  test('does nothing more on a connection whose last reply is under way', async () => {
    const served = await serve()
    const { socket, write, read, theirs } = await connectTo(served)
    socket.pause()
    await write(get('/long'))
    await expect.poll(() => theirs.writableLength).toBeGreaterThan(0)
    const ended = close(served.server, 60_000)
    await write(get('/a'))
    await read(get('/long').length + get('/a').length)
    socket.resume()
    await ended
    expect([served.asked, served.node]).toEqual([[], []])
  })

  test('cuts off what takes longer than the grace', async () => {
    const served = await serve()
    const { write, closed, received } = await connectTo(served)
    await write(get('/a'))
    const [first] = await served.askedFor(1)
    await close(served.server, 10)
    await closed
    first?.reply.sendJson(200, '1')
    expect(received()).toBe('')
  })
})

describe('a client that leaves', () => {
  test.each(['closes', 'resets', 'half closes'])(
    'and %s leaves the next message to others',
    async how => {
      const service = await openService({ fast: true })
      onTestFinished(service.end)
      const { parts, account, tokens } = service
      const next = (wait: number) =>
        requestBytes('NEXT /api/1/message', {
          Authorization: `Bearer ${tokens.phone}`,
          Prefer: `wait=${wait}`,
        })
      const { write, read, socket, theirs } = await connectTo(service)
      await write(next(60))
      await read(next(60).length)
      const gone = new Promise(resolve => theirs.once('close', resolve))
      if (how === 'resets') socket.resetAndDestroy()
      else if (how === 'closes') socket.destroy()
      else socket.end()
      await gone
      await parts.messages.accept(account, { destination: '+12025550123', text: 'late' }, 'api')
      const other = await connectTo(service)
      await other.write(next(0))
      const [reply] = await other.replies(1)
      expect(reply).toContain('"late"')
      expect([service.server.fast.size, service.defects]).toEqual([1, []])
    },
  )
})
