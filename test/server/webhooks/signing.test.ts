import { describe, expect, test } from 'vitest'
import { createWebhookRequest } from '../../../src/contract/webhook/webhook-request.js'
import { accountWith } from '../store/rig.js'
import { ok, openSink, reply } from './sink.js'
import { World } from './world.js'

function header(request: string | undefined, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)\r$`, 'm').exec(request ?? '')?.[1]
}

/** A world with an account that has a signing secret. */
async function openSigned() {
  const world = await World.open()
  world.clock.advance(1_893_456_000_500 - world.clock.now())
  await world.store.accounts.create(accountWith('a', { hookSecret: 'whsec_c2VjcmV0' }))
  return world
}

describe('a webhook', () => {
  test('has the bytes of createWebhookRequest for its event, cursor and secret', async () => {
    const world = await openSigned()
    const sink = await openSink()
    await world.record(['early'])
    await world.subscribe(sink.url, { post: true })
    const dispatcher = await world.dispatch()
    await world.record(['other'], 'message.sent')
    await world.record(['m1', 'm2'])
    await dispatcher.idle()
    const webhooks = [
      { seq: 3, event: 'message.create', message: 'm1', previous: 1 },
      { seq: 4, event: 'message.create', message: 'm2', previous: 3 },
    ] as const
    const expected = webhooks.map(({ previous, ...event }) => {
      const target = { url: sink.url, method: 'POST', post: true }
      const details = { previous, from: 'smsrelay', secrets: ['whsec_c2VjcmV0'] }
      const { headers, body } = createWebhookRequest(event, target, {
        ...details,
        timestamp: 1_893_456_000,
      })
      const lines = Object.entries({ ...headers, Connection: 'keep-alive' })
      return `POST / HTTP/1.1\r\n${lines.map(line => `${line.join(': ')}\r\n`).join('')}\r\n${body}`
    })
    expect(sink.requests).toEqual(expected)
  })

  test('that is retried keeps its identifier and sequence, with a new timestamp', async () => {
    const world = await openSigned()
    const sink = await openSink(nth => (nth === 1 ? reply(500) : ok))
    await world.subscribe(sink.url)
    const dispatcher = await world.dispatch()
    await world.record(['m1'])
    await dispatcher.idle()
    world.clock.advance(1500)
    await dispatcher.idle()
    const [first, second] = sink.requests
    for (const name of ['webhook-id', 'webhook-sequence', 'webhook-previous']) {
      expect(header(second, name)).toBe(header(first, name))
    }
    expect(header(first, 'webhook-id')).toBe('evt_1_m1')
    expect(header(first, 'webhook-timestamp')).toBe('1893456000')
    expect(header(second, 'webhook-timestamp')).toBe('1893456002')
    expect(header(second, 'webhook-signature')).not.toBe(header(first, 'webhook-signature'))
  })
})
