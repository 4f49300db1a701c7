import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  getEventObject,
  parseReceivedWebhook,
} from '../../../../src/cli/hook/receive/received-webhook.js'
import { createSignatureCheck } from '../../../../src/cli/hook/receive/signature-check.js'
import { createWebhookRequest } from '../../../../src/contract/webhook/webhook-request.js'

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const stamp = { previous: 6, from: 'smsrelay', secrets: [secret], timestamp: 1 }
const event = { seq: 7, event: 'message.sent', message: 'some id/&=' } as const

/** A hit as a server sees it. */
function arrived(url: string, post: boolean, message: string = event.message) {
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
])('the lane of %s is its address without our part', (url, address) => {
  expect(parseReceivedWebhook(arrived(url, false))).toEqual({
    lane: `PING ${address}`,
    id: 'evt_7_some id/&=',
    message: 'some id/&=',
    data: 'message%5Bid%5D=some%20id%2F%26%3D',
    sequence: 7,
    previous: 6,
  })
})

test.each([true, false])('a hit about a received text says so, in the body: %s', post => {
  const raw = createWebhookRequest(
    { seq: 7, event: 'message.received', message: 'r1' },
    { url: 'http://h/x?a=1', method: 'PING', post },
    stamp,
  )
  const { method, target: url, body } = raw
  const hit = parseReceivedWebhook({ method, url, headers: {}, body })
  expect(hit).toMatchObject({ lane: 'PING /x?a=1', message: 'r1' })
  expect(hit && getEventObject(hit)).toBe('received')
  const other = parseReceivedWebhook(arrived('http://h/x', post))
  expect(other && getEventObject(other)).toBe('message')
})

test('a lane is the same whatever the message, and with the data in the body', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), fc.uuid(), fc.uuid(), (url, a, b) => {
      for (const post of [true, false]) {
        const first = parseReceivedWebhook(arrived(url, post, a))
        expect(first?.message).toBe(a)
        expect(parseReceivedWebhook(arrived(url, post, b))?.lane).toBe(first?.lane)
      }
    }),
    { numRuns: 30 },
  )
})

test('a hit without headers is known by its message, and one without a message by nothing', () => {
  const bare = { method: 'POST', url: '/x', headers: {} }
  const hit = parseReceivedWebhook({ ...bare, body: '{"message":{"id":"m"}}' })
  expect(hit).toMatchObject({ id: 'm', sequence: undefined, previous: undefined })
  for (const body of ['', '{}', 'null', '{"message":{"id":1}}', 'no'])
    expect(parseReceivedWebhook({ ...bare, body })).toBeUndefined()
})

describe.each([true, false])('a signed hit, with its data in the body: %s', post => {
  const made = arrived('http://h/x?a=1', post)
  const check = createSignatureCheck(secret)
  const passes = (hit: typeof made, now = 1000): boolean => {
    const read = parseReceivedWebhook(hit)
    return read !== undefined && check(read, hit.headers, now)
  }

  test('passes as it is, within five minutes, and by one of several secrets', () => {
    expect(passes(made)).toBe(true)
    expect(passes(made, 301_000)).toBe(true)
    expect(passes(made, 302_000)).toBe(false)
    const several = `v1,AAAA ${made.headers['webhook-signature']}`
    expect(passes({ ...made, headers: { ...made.headers, 'webhook-signature': several } })).toBe(
      true,
    )
  })

  test('does not pass when anything signed is another', () => {
    const other = arrived('http://h/x?a=1', post, 'other')
    expect(passes({ ...made, url: other.url, body: other.body })).toBe(false)
    expect(passes({ ...made, headers: { ...made.headers, 'webhook-id': 'evt_8_x' } })).toBe(false)
    expect(passes({ ...made, headers: { ...made.headers, 'webhook-timestamp': '2' } })).toBe(false)
    expect(passes({ ...made, headers: { ...made.headers, 'webhook-signature': '' } })).toBe(false)
  })
})
