import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createSignatureCheck,
  getObjectType,
  parseReceivedWebhook,
} from '../../../../src/cli/hook/receive/received-webhook.js'
import { createWebhookRequest } from '../../../../src/contract/webhook/webhook-request.js'

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const stamp = { previous: 6, from: 'smsrelay', secrets: [secret], timestamp: 1 }
const event = { seq: 7, event: 'message.sent', message: 'some id/&=' } as const

function createIncoming(url: string, post: boolean, message: string = event.message) {
  const raw = createWebhookRequest({ ...event, message }, { url, method: 'PING', post }, stamp)
  const headers = Object.entries(raw.headers).map(([name, value]) => [name.toLowerCase(), value])
  const { method, target, body } = raw
  return { method, url: target, headers: Object.fromEntries(headers), body }
}

test.each([
  ['http://h/x', '/x'],
  ['http://h/x?', '/x'],
  ['http://h/x?a=1', '/x?a=1'],
  ['http://h/x?a=1&', '/x?a=1'],
  ['http://h', '/'],
])('the address of %s is %s, without the part of the relay', (url, address) => {
  expect(parseReceivedWebhook(createIncoming(url, false))).toEqual({
    address: `PING ${address}`,
    id: 'evt_7_some id/&=',
    message: 'some id/&=',
    data: 'message%5Bid%5D=some%20id%2F%26%3D',
    sequence: 7,
    previous: 6,
  })
})

test.each([true, false])('a webhook about a received text is recognized, with post %s', post => {
  const raw = createWebhookRequest(
    { seq: 7, event: 'message.received', message: 'r1' },
    { url: 'http://h/x?a=1', method: 'PING', post },
    stamp,
  )
  const { method, target: url, body } = raw
  const webhook = parseReceivedWebhook({ method, url, headers: {}, body })
  expect(webhook).toMatchObject({ address: 'PING /x?a=1', message: 'r1' })
  expect(webhook && getObjectType(webhook)).toBe('received')
  const other = parseReceivedWebhook(createIncoming('http://h/x', post))
  expect(other && getObjectType(other)).toBe('message')
})

test('the address does not depend on the message or on where the data is', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), fc.uuid(), fc.uuid(), (url, a, b) => {
      for (const post of [true, false]) {
        const first = parseReceivedWebhook(createIncoming(url, post, a))
        expect(first?.message).toBe(a)
        expect(parseReceivedWebhook(createIncoming(url, post, b))?.address).toBe(first?.address)
      }
    }),
    { numRuns: 30 },
  )
})

test('without headers the id is that of the message, and without a message there is no id', () => {
  const bare = { method: 'POST', url: '/x', headers: {} }
  const webhook = parseReceivedWebhook({ ...bare, body: '{"message":{"id":"m"}}' })
  expect(webhook).toMatchObject({ id: 'm', sequence: undefined, previous: undefined })
  for (const body of ['', '{}', 'null', '{"message":{"id":1}}', 'no'])
    expect(parseReceivedWebhook({ ...bare, body })).toBeUndefined()
})

describe.each([true, false])('a signed webhook with post %s', post => {
  const incoming = createIncoming('http://h/x?a=1', post)
  const check = createSignatureCheck(secret)
  const passes = (webhook: typeof incoming, now = 1000): boolean => {
    const read = parseReceivedWebhook(webhook)
    return read !== undefined && check(read, webhook.headers, now)
  }

  test('is valid for five minutes, also as one of several signatures', () => {
    expect(passes(incoming)).toBe(true)
    expect(passes(incoming, 301_000)).toBe(true)
    expect(passes(incoming, 302_000)).toBe(false)
    const several = `v1,AAAA ${incoming.headers['webhook-signature']}`
    expect(
      passes({ ...incoming, headers: { ...incoming.headers, 'webhook-signature': several } }),
    ).toBe(true)
  })

  test('is invalid after a change of the data, the id, the time or the signature', () => {
    const other = createIncoming('http://h/x?a=1', post, 'other')
    expect(passes({ ...incoming, url: other.url, body: other.body })).toBe(false)
    expect(passes({ ...incoming, headers: { ...incoming.headers, 'webhook-id': 'evt_8_x' } })).toBe(
      false,
    )
    expect(
      passes({ ...incoming, headers: { ...incoming.headers, 'webhook-timestamp': '2' } }),
    ).toBe(false)
    expect(passes({ ...incoming, headers: { ...incoming.headers, 'webhook-signature': '' } })).toBe(
      false,
    )
  })
})
