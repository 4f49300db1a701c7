import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ConnectionLimits } from '../../../src/net/server/connection-limits.js'
import { Metrics } from '../../../src/util/collections/metrics.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { openConnection, readBodies, readStatuses } from './client-connection.js'
import { formatRequest, startEcho, startHolding, startServer } from './test-server.js'

/** Limits that a test can wait for. */
const short = { headTimeout: 150, bodyTimeout: 300, idleTimeout: 150, replyTimeout: 200 }

const get = (path: string, fields = {}) => formatRequest(`GET ${path}`, fields)

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

describe('unfinished bodies beyond a limit', () => {
  const kilobyte = 1024
  const post = `POST / HTTP/1.1\r\nHost: relay\r\nContent-Length: ${400 * kilobyte}\r\n\r\n`
  const rejected = 'http_rejected_total{reason="bodies"}'
  const begin = async (port: number, bytes: number, head = post) => {
    const connection = await openConnection(port)
    await connection.write(head + 'x'.repeat(bytes))
    return connection
  }

  test.each<[string, Partial<ConnectionLimits>, (count: number) => string]>([
    ['of all', { unfinished: 800 * kilobyte }, count => `${count}`],
    ['of one client', { unfinishedPerHolder: 800 * kilobyte }, () => 'same'],
  ])('%s: the first gets 503, the others are read', async (_, limits, getClient) => {
    const metrics = new Metrics()
    let count = 0
    const clients = {
      getClient: () => {
        count += 1
        return getClient(count)
      },
    }
    const { port } = await startEcho(limits, { metrics, ...clients })
    const [first, second] = [await begin(port, 300 * kilobyte), await begin(port, 300 * kilobyte)]
    await first.write('x')
    expect(metrics.values()[rejected]).toBeUndefined()
    const third = await begin(port, 300 * kilobyte)
    const [reply = ''] = await first.replies(1)
    expect(readStatuses(reply)).toEqual([503])
    expect(reply).toMatch(/\r\nRetry-After: 5\r\n[\s\S]*\r\nConnection: close\r\n/)
    for (const { write, replies } of [second, third]) {
      await write('x'.repeat(100 * kilobyte))
      expect(readStatuses((await replies(1))[0] ?? '')).toEqual([200])
    }
    expect(metrics.values()[rejected]).toBe(1)
  })

  test('do not count once they are complete, refused or broken off', async () => {
    const { port } = await startEcho({ unfinished: 900 * kilobyte })
    for (let n = 0; n < 4; n += 1) {
      const [whole, early, late] = [
        await begin(port, 400 * kilobyte),
        await begin(port, 300 * kilobyte, post.replace('/', '/early')),
        await begin(port, 300 * kilobyte),
      ]
      expect(readStatuses((await whole.replies(1))[0] ?? '')).toEqual([200])
      expect(readStatuses((await early.replies(1))[0] ?? '')).toEqual([404])
      late.socket.destroy()
      await late.closed
    }
  })

  test('that a handler does not read are refused, too', async () => {
    const limits = { unfinished: 100 * kilobyte }
    const { port, held, metrics } = await startHolding(limits)
    const first = await begin(port, 60 * kilobyte)
    await begin(port, 60 * kilobyte)
    await expect.poll(() => metrics.values()[rejected]).toBe(1)
    held[0]?.response.send(204)
    await first.closed
    expect(first.received()).toMatch(/^HTTP\/1.1 204 [\s\S]*\r\nConnection: close\r\n/)
  })
})

describe('a connection beyond a limit', () => {
  const useConnection = async (port: number) => {
    const connection = await openConnection(port)
    await connection.write(get('/'))
    await connection.replies(1)
    return connection
  }

  test.each<[string, string, Partial<ConnectionLimits>]>([
    ['in total', 'connections', { connections: 2 }],
    ['of its address', 'address', { connectionsPerAddress: 2 }],
  ])(
    '%s gets 503 before its request; the end of another one lets it in',
    async (_, reason, limits) => {
      const metrics = new Metrics()
      const { port, handled } = await startEcho(limits, { metrics })
      const first = await useConnection(port)
      await useConnection(port)
      expect(metrics.values()).toEqual({ http_connections: 2 })
      const third = await openConnection(port)
      const [reply = ''] = await third.replies(1)
      expect([readStatuses(reply), readBodies([reply])]).toEqual([
        [503],
        [expect.stringContaining('too many')],
      ])
      expect(reply).toMatch(/\r\nRetry-After: \d+\r\n[\s\S]*\r\nConnection: close\r\n/)
      third.socket.end()
      await third.closed
      expect(metrics.values()).toEqual({
        http_connections: 2,
        [`http_rejected_total{reason="${reason}"}`]: 1,
      })
      first.socket.end()
      await expect.poll(() => metrics.values().http_connections).toBe(1)
      await useConnection(port)
      expect(handled).toHaveLength(3)
    },
  )

  test.each(['', 'x'.repeat(1024 * 1024)])('gets 503 as the reply to fetch', async body => {
    const { port } = await startEcho({ connections: 1 })
    await useConnection(port)
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
  })

  test('is closed a second later if the client stays', async () => {
    const clock = new FakeClock()
    const { port } = await startEcho({ connections: 1 }, { clock })
    await useConnection(port)
    const refused = await openConnection(port, { allowHalfOpen: true })
    await refused.replies(1)
    clock.advance(999)
    await refused.write('x')
    await turn()
    expect(refused.socket.destroyed).toBe(false)
    clock.advance(1)
    const isReset = async () => {
      await refused.write('x')
      return refused.socket.destroyed
    }
    await expect.poll(isReset).toBe(true)
  })

  test('is closed without a reply when 1,000 others have theirs', async () => {
    const metrics = new Metrics()
    const { port } = await startEcho({ connections: 1 }, { metrics, clock: new FakeClock() })
    await useConnection(port)
    const open = async () => await openConnection(port, { allowHalfOpen: true })
    const refused = await Promise.all(Array.from({ length: 1000 }, open))
    await Promise.all(refused.map(({ replies }) => replies(1)))
    const dropped = await openConnection(port)
    await dropped.closed
    expect(dropped.received()).toBe('')
    expect(metrics.values()).toMatchObject({
      'http_rejected_total{reason="connections"}': 1000,
      'http_rejected_total{reason="dropped"}': 1,
    })
  })
})
