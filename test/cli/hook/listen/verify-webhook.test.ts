import { expect, test } from 'vitest'
import {
  parseSigningSecret,
  verifyWebhook,
} from '../../../../src/cli/hook/listen/verify-webhook.js'
import {
  createWebhookRequest,
  type WebhookDetails,
  type WebhookEvent,
} from '../../../../src/contract/webhook/webhook-request.js'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_c29tZSBvdGhlciBzZWNyZXQgZm9yIHRlc3Rz'
const at = 1_893_456_000
const minute = 60_000
const event = { seq: 12, event: 'message.sent', message: 'm_1' } as const
const received = { ...event, event: 'message.received' } as const

interface Webhook {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

function create(
  post = true,
  stamp: Partial<WebhookDetails> = {},
  about: WebhookEvent = event,
): Webhook {
  const how = { url: 'http://me:pw@h/hook?a=1', method: 'NOTIFY', post }
  const full = { previous: 9, from: 'smsrelay', secrets: [secret], timestamp: at, ...stamp }
  const { target, headers, body } = createWebhookRequest(about, how, full)
  const fields = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { url: target, headers: Object.fromEntries(fields), body }
}

function check(webhook: Webhook, now = at * 1000 + 3000) {
  return verifyWebhook(webhook, { secret, now, tolerance: 5 * minute })
}

function withHeader(name: string, value: string): Webhook {
  const webhook = create()
  return { ...webhook, headers: { ...webhook.headers, [name]: value } }
}

const inQuery = create(false)

test.each<[string, Webhook]>([
  ['as sent', create()],
  ['with its data in the query', inQuery],
  ['with decoded brackets', { ...inQuery, url: inQuery.url.replace(/%5Bid%5D/g, '[id]') }],
  ['about a received text', create(true, {}, received)],
  ['about a received text, in the query', create(false, {}, received)],
  ['with two signatures, the other first', create(true, { secrets: [other, secret] })],
])('a webhook %s is valid, up to the tolerance', (_, webhook) => {
  expect(check(webhook)).toBeUndefined()
  expect(check(webhook, at * 1000 + 5 * minute)).toBeUndefined()
  expect(check(webhook, at * 1000 - 5 * minute)).toBeUndefined()
})

test.each<[string, Webhook, string, string]>([
  ['no id', withHeader('webhook-id', ''), 'missing_header', 'webhook-id'],
  ['no time', withHeader('webhook-timestamp', ''), 'missing_header', 'webhook-timestamp'],
  ['no signature', create(true, { secrets: [] }), 'missing_header', 'webhook-signature'],
  ['an invalid time', withHeader('webhook-timestamp', 'now'), 'malformed_header', 'timestamp'],
  ['another scheme', withHeader('webhook-signature', 'v2,abc'), 'malformed_header', 'v1'],
  ['another secret', create(true, { secrets: [other] }), 'other_secret', 'secret'],
  ['another time', withHeader('webhook-timestamp', String(at + 1)), 'other_secret', 'timestamp'],
  ['another body', { ...create(), body: '{"message":{"id":"m_2"}}' }, 'changed_data', 'body'],
  ['a truncated body', { ...create(), body: create().body.slice(0, -9) }, 'changed_data', 'body'],
  ['other data', { ...inQuery, url: inQuery.url.replace('=m_1', '=x') }, 'changed_data', 'query'],
  ['another sequence', withHeader('webhook-sequence', '13'), 'changed_sequence', '13'],
])('a webhook with %s has its problem and value', (_, webhook, problem, value) => {
  expect(check(webhook)).toEqual([problem, expect.stringContaining(value)])
})

test.each([
  [5 * minute + 1000, 'too_old', '5 min'],
  [30 * 60 * minute, 'too_old', '30 h'],
  [-10 * minute, 'too_new', '10 min'],
])('a webhook that is %i ms old is %s, and the reason names %s', (age, problem, value) => {
  expect(check(create(), at * 1000 + age)).toEqual([problem, expect.stringContaining(value)])
})

test.each(['', 'hello', 'whsec_', 'whsec_???', secret.slice(6), `${secret}!`])(
  'the secret %j is a usage error',
  wrong => {
    expect(() => parseSigningSecret(wrong)).toThrow(expect.objectContaining({ code: 'usage' }))
  },
)
