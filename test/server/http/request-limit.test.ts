import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection, readStatuses } from '../../net/server/client-connection.js'
import { exchange, formatRequest } from '../../net/server/test-server.js'
import { runRelay } from '../running-relay.js'

const clients = ['192.0.2.1', '192.0.2.2']

async function start(settings: object) {
  const running = await runRelay({ limits: { connectionsPerAddress: 2 }, ...settings })
  onTestFinished(async () => await running.relay.stop())
  const port = Number(new URL(running.relay.url).port)
  const authorization = `Bearer ${running.api.token}`
  const format = (client: string, path: string, fields = {}) =>
    formatRequest(`GET /api/1/${path}`, {
      ...{ Authorization: authorization, 'X-Forwarded-For': `198.51.100.1, ${client}` },
      ...fields,
    })
  /** An event stream, which stays in progress. */
  const openStream = async (client: string) => {
    const connection = await openConnection(port)
    await connection.write(format(client, 'event', { Accept: 'text/event-stream' }))
    await expect.poll(connection.received).toContain(': ok')
    return connection
  }
  const getStatus = async (client: string) =>
    readStatuses(await exchange(port, format(client, 'user')))[0]
  return { ...running, port, format, openStream, getStatus }
}

describe('behind a trusted proxy', () => {
  test('a client beyond its requests in progress gets 503, others do not', async () => {
    const { relay, port, format, openStream, getStatus } = await start({ trustProxy: true })
    const [client = '', other = ''] = clients
    const stream = await openStream(client)
    await openStream(client)
    const received = await exchange(port, format(client, 'user') + format(other, 'user'))
    expect(readStatuses(received)).toEqual([503, 200])
    expect(received).toMatch(/\r\nRetry-After: 5\r\n[\s\S]*"error":"unavailable"/)
    expect(relay.metrics()).toMatchObject({ 'http_rejected_total{reason="requests"}': 1 })
    stream.socket.destroy()
    await expect.poll(async () => await getStatus(client)).toBe(200)
  })

  test('connections of the proxy and its own requests are not limited', async () => {
    const { port, api } = await start({ trustProxy: true })
    const fields = { Authorization: `Bearer ${api.token}`, Accept: 'text/event-stream' }
    const all = await Promise.all(Array.from({ length: 20 }, () => openConnection(port)))
    for (const { write } of all) await write(formatRequest('GET /api/1/event', fields))
    for (const { received } of all) await expect.poll(received).toContain(': ok')
  })

  test('--max-connections counts all of them', async () => {
    const { port } = await start({ trustProxy: true, maxConnections: 20 })
    const all = await Promise.all(Array.from({ length: 21 }, () => openConnection(port)))
    const refused = await Promise.race(all.map(({ replies }) => replies(1)))
    expect(readStatuses(refused[0] ?? '')).toEqual([503])
  })
})

test('without a trusted proxy, connections of one address beyond the limit get 503', async () => {
  const { relay, port } = await start({ limits: { connectionsPerAddress: 5 } })
  const all = await Promise.all(Array.from({ length: 6 }, () => openConnection(port)))
  const [reply = ''] = await Promise.race(all.map(({ replies }) => replies(1)))
  expect(readStatuses(reply)).toEqual([503])
  expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: 'unavailable' })
  expect(relay.metrics()['http_rejected_total{reason="address"}']).toBeGreaterThan(0)
})
