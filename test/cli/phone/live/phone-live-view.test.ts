import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pollQueue } from '../../../../src/cli/phone/live/phone-live-view.js'
import type { QueueFields } from '../../../../src/contract/phone-schema.js'

const oldest_due_on = '2026-11-21 12:00:00'
const queue = { waiting: 14, due: 3, leased: 1, oldest_due_on, counted_on: oldest_due_on }
const token = { access_token: 't', token_type: 'Bearer', expires_in: 9, scope: '/api/1/message' }

/** Polls a relay with these replies until the last; returns the queues and the waits. */
async function poll(replies: readonly (readonly [number, object])[]) {
  const left = [...replies]
  const server = createServer((request, reply) => {
    const [status, body] = request.url === '/oauth' ? [200, token] : (left.shift() ?? [500, {}])
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = new AbortController()
  const queues: (QueueFields | undefined)[] = []
  const waits: number[] = []
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds)
    if (left.length === 0) stop.abort()
  }
  const connection = {
    url,
    kind: 'app' as const,
    origin: { url: '--url', keys: '' },
    credentials: { user: 'a', password: 'b' },
  }
  await pollQueue(connection, each => queues.push(each), stop.signal, { sleep })
  return { queues, waits }
}

describe('pollQueue', () => {
  it('gets the queue every 5 s, and undefined after an error', async () => {
    const broken = { error: 'internal_error', error_description: 'Broken.' }
    const { queues, waits } = await poll([
      [200, { queue }],
      [500, broken],
      [200, { queue }],
    ])
    expect(queues).toEqual([queue, undefined, queue])
    expect(waits).toEqual([5000, 5000, 5000])
  })

  it.each([
    [404, 'not_a_message'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [403, 'insufficient_scope'],
  ])('waits 300 s after a reply of %d %s', async (status, error) => {
    const { queues, waits } = await poll([[status, { error, error_description: 'No.' }]])
    expect({ queues, waits }).toEqual({ queues: [undefined], waits: [300_000] })
  })
})
