import { describe, expect, test } from 'vitest'
import type { ConnectionLimits } from '../../../src/net/server/connection-limits.js'
import { Metrics } from '../../../src/util/collections/metrics.js'
import { openConnection, readStatuses } from './client-connection.js'
import { formatRequest, startServer } from './test-server.js'

const megabyte = 1024 * 1024
/** Longer than what the system buffers for a client that does not read. */
const long = Buffer.alloc(16 * megabyte, 'x')
const disconnected = 'http_rejected_total{reason="unread"}'

/** A server with a long reply at `/long`, and short ones elsewhere; it notes the requests. */
async function start(limits: Partial<ConnectionLimits> = {}, body = long) {
  const handled: string[] = []
  const metrics = new Metrics()
  const started = await startServer(
    ({ url }, response) => {
      handled.push(url)
      response.send(200, {}, url.startsWith('/long') ? body : 'short')
    },
    limits,
    { metrics },
  )
  const openIdle = async (requests: readonly string[]) => {
    const connection = await openConnection(started.port)
    connection.socket.pause()
    await connection.write(requests.map(path => formatRequest(`GET ${path}`)).join(''))
    return connection
  }
  return { ...started, handled, metrics, openIdle }
}

describe('clients that pipeline requests and do not read', () => {
  test('have one reply prepared each, and their requests are not read', async () => {
    const { handled, openIdle, port } = await start()
    const paths = Array.from({ length: 100 }, (_, n) => `/long?${n}`)
    const clients = await Promise.all(Array.from({ length: 5 }, () => openIdle(paths)))
    await expect.poll(() => handled.length).toBe(5)
    for (let n = 0; n < 20; n += 1) {
      const { write, replies } = await openConnection(port)
      await write(formatRequest('GET /'))
      expect(readStatuses((await replies(1))[0] ?? '')).toEqual([200])
    }
    expect(handled.filter(path => path !== '/')).toEqual(Array(5).fill('/long?0'))
    for (const { socket } of clients) socket.destroy()
  })

  test('beyond the limit together: the one that waits longest is disconnected', async () => {
    const { server, openIdle, metrics, handled } = await start({ unread: 40 * megabyte })
    const [first, second] = [await openIdle(['/long']), await openIdle(['/long'])]
    await expect.poll(() => handled.length).toBe(2)
    expect(server.connections).toBe(2)
    expect(metrics.values()[disconnected]).toBeUndefined()
    const third = await openIdle(['/long'])
    await expect.poll(() => metrics.values()[disconnected]).toBe(1)
    first.socket.resume()
    await first.closed
    for (const { socket, closed, received } of [second, third]) {
      socket.resume()
      await expect.poll(() => received().length).toBeGreaterThan(long.length)
      socket.end()
      await closed
    }
    expect(metrics.values()[disconnected]).toBe(1)
  })
})

test('a client that reads its long replies is never disconnected for them', async () => {
  const { openIdle, metrics, port } = await start({ unread: 20 * megabyte })
  for (let n = 0; n < 4; n += 1) {
    const { write, received } = await openConnection(port)
    await write(formatRequest('GET /long'))
    await expect.poll(() => received().length).toBeGreaterThan(long.length)
  }
  await openIdle(['/long'])
  expect(metrics.values()[disconnected]).toBeUndefined()
})

test('connections with long replies do not delay one with short replies', async () => {
  const paths = ['/long', '/long', '/long']
  const { handled, port, openIdle } = await start({}, Buffer.alloc(128 * 1024, 'x'))
  const { write, replies } = await openConnection(port)
  await write(formatRequest('GET /'))
  await replies(1)
  const clients = await Promise.all(Array.from({ length: 20 }, () => openIdle([])))
  const bytes = paths.map(path => formatRequest(`GET ${path}`)).join('')
  for (const { socket } of clients) socket.resume().write(bytes)
  await write(formatRequest('GET /short'))
  await replies(2)
  await expect.poll(() => handled.length).toBe(1 + 20 * paths.length + 1)
  expect(handled.indexOf('/short')).toBeLessThan(1 + 20 * 2)
})
