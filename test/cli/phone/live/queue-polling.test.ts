import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pollQueue } from '../../../../src/cli/phone/live/queue-polling.js'
import type { QueueFields } from '../../../../src/contract/phone-schema.js'

const oldest_due_on = '2026-11-21 12:00:00'
const queue = { waiting: 14, due: 3, leased: 1, oldest_due_on, counted_on: oldest_due_on }
const token = { access_token: 't', token_type: 'Bearer', expires_in: 9, scope: '/api/1/message' }

/** A relay that answers the queue with these, one after the other; the watch stops after the last. */
async function watched(answers: readonly (readonly [number, object])[]) {
  const left = [...answers]
  const server = createServer((request, reply) => {
    const [status, body] = request.url === '/oauth' ? [200, token] : (left.shift() ?? [500, {}])
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = new AbortController()
  const told: (QueueFields | undefined)[] = []
  const waits: number[] = []
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    if (left.length === 0) stop.abort()
  }
  const connection = { url, credentials: { user: 'a', password: 'b' } }
  await pollQueue(connection, each => told.push(each), stop.signal, wait)
  return { told, waits }
}

describe('the queue of the relay', () => {
  it('is told every few seconds, and not while the relay cannot say', async () => {
    const broken = { error: 'internal_error', error_description: 'Broken.' }
    const { told, waits } = await watched([
      [200, { queue }],
      [500, broken],
      [200, { queue }],
    ])
    expect(told).toEqual([queue, undefined, queue])
    expect(waits).toEqual([5000, 5000, 5000])
  })

  it.each([
    [404, 'not_a_message'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [403, 'insufficient_scope'],
  ])('is seldom asked for where the relay answers %d %s', async (status, error) => {
    const { told, waits } = await watched([[status, { error, error_description: 'No.' }]])
    expect({ told, waits }).toEqual({ told: [undefined], waits: [300_000] })
  })
})
