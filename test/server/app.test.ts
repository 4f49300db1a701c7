import { describe, expect, test } from 'vitest'
import { openConnection, readStatuses } from '../net/server/client-connection.js'
import { formatRequest } from '../net/server/test-server.js'
import { serve, startRelay } from './http/app-rig.js'
import { draft, runRelay } from './running-relay.js'

const getPort = (url: string): number => Number(new URL(url).port)

/** Limits that a test can wait for. */
const short = { headTimeout: 150, bodyTimeout: 300, idleTimeout: 150, replyTimeout: 200 }

test('a connection stays open after every error', async () => {
  const { relay, api, defects } = await startRelay()
  const { write, replies, socket } = await openConnection(getPort(relay.url))
  const token = { Authorization: `Bearer ${api.token}` }
  const requests: [string, Record<string, string>, string, number][] = [
    ['GET /nowhere', {}, '', 404],
    ['GET /api/1/user', { Authorization: 'Bearer wrong' }, '', 401],
    ['GET /oauth', {}, '', 401],
    ['POST /api/1/message', { 'Content-Type': 'text/plain' }, '{}', 401],
    ['POST /api/1/message', token, '{}', 415],
    ['BREW /api/1/message', token, '', 405],
    ['NEXT /api/1/message', token, '', 403],
    ['GET /api/1/message/%zz', token, '', 400],
    ['GET /api/1/user', token, '', 200],
  ]
  for (const [at, [line, fields, body, status]] of requests.entries()) {
    await write(formatRequest(line, fields, body))
    expect(readStatuses((await replies(at + 1)).at(-1) ?? '')).toEqual([status])
  }
  expect(socket.destroyed).toBe(false)
  expect(defects).toEqual([])
})

test('a reply that fails after its head is cut off, without an error in it', async () => {
  const { port } = await serve(async (_, response) => {
    response.startStream(200, {})
    response.write('half')
    throw new Error('defect')
  })
  const { write, closed, received } = await openConnection(port)
  await write(formatRequest('GET /'))
  await closed
  expect(received()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\r\n\r\n4\r\nhalf\r\n$/)
})

describe('a NEXT that waits', () => {
  test('longer than every limit is answered, and so is the next one', async () => {
    const { relay, api, phone } = await runRelay({ limits: short })
    const fields = { Authorization: `Bearer ${phone.token}`, Prefer: 'wait=1' }
    const { write, replies } = await openConnection(getPort(relay.url))
    await write(formatRequest('NEXT /api/1/message', fields))
    expect(readStatuses((await replies(1))[0] ?? '')).toEqual([404])
    await write(formatRequest('NEXT /api/1/message', fields))
    await api.post('/message', { message: draft })
    expect((await replies(2))[1]).toContain(draft.message)
    await relay.stop()
  })

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'leaves the message to others after the client calls %s',
    async leave => {
      const { relay, api, phone } = await runRelay()
      const next = (wait: number): string =>
        formatRequest('NEXT /api/1/message', {
          Authorization: `Bearer ${phone.token}`,
          Prefer: `wait=${wait}`,
        })
      const left = await openConnection(getPort(relay.url))
      await left.write(next(60))
      left.socket[leave]()
      await left.closed
      await api.post('/message', { message: draft })
      const other = await openConnection(getPort(relay.url))
      await other.write(next(0))
      expect((await other.replies(1))[0]).toContain(draft.message)
      await relay.stop()
    },
  )
})
