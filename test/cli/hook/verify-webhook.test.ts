import { describe, expect, test } from 'vitest'
import { parseSavedWebhooks, type SavedWebhook } from '../../../src/cli/hook/saved-webhook.js'
import { verifyWebhook } from '../../../src/cli/hook/verify-webhook.js'
import {
  createWebhookRequest,
  type WebhookDetails,
  type WebhookEvent,
} from '../../../src/contract/webhook/webhook-request.js'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_c29tZSBvdGhlciBzZWNyZXQgZm9yIHRlc3Rz'
const at = 1_893_456_000
const minute = 60_000
const event = { seq: 12, event: 'message.sent', message: 'm_1' } as const
const received = { ...event, event: 'message.received' } as const

function createRaw(
  post = true,
  stamp: Partial<WebhookDetails> = {},
  about: WebhookEvent = event,
): string {
  const how = { url: 'http://me:pw@h/hook?a=1', method: 'NOTIFY', post }
  const full = { previous: 9, from: 'smsrelay', secrets: [secret], timestamp: at, ...stamp }
  const { method, target, headers, body } = createWebhookRequest(about, how, full)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

function parseOne(text: string): SavedWebhook {
  const [webhook, ...more] = parseSavedWebhooks(Buffer.from(text))
  if (webhook === undefined || more.length > 0) throw new Error('not one webhook')
  return webhook
}

function check(text: string, changes: Partial<Parameters<typeof verifyWebhook>[1]> = {}) {
  return verifyWebhook(parseOne(text), {
    secret,
    now: at * 1000 + 3000,
    tolerance: 5 * minute,
    ...changes,
  })
}

const valid = { valid: true, id: 'evt_12_m_1', sequence: 12, signed_at: '2030-01-01T00:00:00.000Z' }

describe('a saved webhook is valid', () => {
  const toJsonLine = (post: boolean): string => {
    const { target, headers, body } = parseOne(createRaw(post))
    return JSON.stringify({ type: 'hit', url: target, headers, body })
  }

  test.each<[string, string]>([
    ['as received', createRaw()],
    ['with its data in the query', createRaw(false)],
    ['with LF line ends', createRaw().replaceAll('\r\n', '\n')],
    ['with a line end after its body', `${createRaw()}\n`],
    ['without the blank line at its end', createRaw(false).trimEnd()],
    ['with header names in another case', createRaw().replace('webhook-id', 'Webhook-Id')],
    ['with decoded brackets in the query', createRaw(false).replace(/%5Bid%5D/g, '[id]')],
    ['about a received text', createRaw(true, {}, received)],
    ['about a received text, in the query', createRaw(false, {}, received)],
    [
      'about a received text, with decoded brackets',
      createRaw(false, {}, received).replace(/%5Bid%5D/g, '[id]'),
    ],
    ['as a line of JSON', `${toJsonLine(true)}\n`],
    ['as a line of JSON, with its data in the query', toJsonLine(false)],
    ['as indented JSON', JSON.stringify(JSON.parse(toJsonLine(true)), null, 2)],
    ['among other JSON lines', `{"type":"ready"}\n${toJsonLine(true)}\n{"type":"end"}\n`],
    ['with two signatures, the other first', createRaw(true, { secrets: [other, secret] })],
    ['with two signatures', createRaw(true, { secrets: [secret, other] })],
  ])('%s', (_, text) => {
    expect(check(text)).toEqual(valid)
  })

  test('up to the tolerance, and with tolerance 0 at any age', () => {
    expect(check(createRaw(), { now: at * 1000 + 5 * minute })).toEqual(valid)
    expect(check(createRaw(), { now: at * 1000 - 5 * minute })).toEqual(valid)
    expect(check(createRaw(), { now: at * 5000, tolerance: 0 })).toEqual(valid)
  })
})

describe('an invalid webhook', () => {
  const without = (name: string): string => createRaw().replace(new RegExp(`${name}: .*\r\n`), '')
  const replace = (name: string, value: string): string =>
    createRaw().replace(new RegExp(`${name}: .*\r\n`), `${name}: ${value}\r\n`)

  test.each<[string, string, string, string]>([
    ['no id', without('webhook-id'), 'missing_header', 'webhook-id'],
    ['no time', without('webhook-timestamp'), 'missing_header', 'webhook-timestamp'],
    ['no signature', createRaw(true, { secrets: [] }), 'missing_header', 'webhook-signature'],
    ['an invalid time', replace('webhook-timestamp', 'now'), 'malformed_header', 'timestamp'],
    ['another scheme', replace('webhook-signature', 'v2,abc'), 'malformed_header', 'v1'],
    ['another secret', createRaw(true, { secrets: [other] }), 'other_secret', 'secret'],
    ['another time', replace('webhook-timestamp', String(at + 1)), 'other_secret', 'timestamp'],
    ['another body', createRaw().replace('"m_1"', '"m_2"'), 'changed_data', 'body'],
    ['a body with a space', createRaw().replace('":{', '": {'), 'changed_data', 'body'],
    ['no body', createRaw().replace(/\{.*$/s, ''), 'cut_off', '24 bytes'],
    ['a truncated body', createRaw().slice(0, -10), 'cut_off', '10 bytes'],
    ['other data', createRaw(false).replace('=m_1', '=m_2'), 'changed_data', 'query'],
    ['no data', createRaw(false).replace(/&message.*?=m_1/, ''), 'changed_data', 'm_1'],
    ['another sequence', replace('webhook-sequence', '13'), 'changed_sequence', '13'],
  ])('with %s has its problem and value', (_, text, problem, value) => {
    const found = check(text)
    expect(found).toMatchObject({ valid: false, problem, reason: expect.stringContaining(value) })
  })

  test.each([
    [5 * minute + 1000, 'too_old', '5 min'],
    [30 * 60 * minute, 'too_old', '30 h'],
    [-10 * minute, 'too_new', '10 min'],
  ])('that is %i ms old is %s, and the reason names %s', (age, problem, value) => {
    const found = check(createRaw(), { now: at * 1000 + age })
    expect(found).toMatchObject({ valid: false, problem, reason: expect.stringContaining(value) })
  })

  test('with a wrong signature is not reported as old', () => {
    const found = check(createRaw(true, { secrets: [other] }), { now: at * 2000 })
    expect(found).toMatchObject({ problem: 'other_secret' })
  })
})

test.each(['', 'hello', 'whsec_', 'whsec_???', secret.slice(6), `${secret}!`])(
  'the secret %j is a usage error',
  wrong => {
    const error = expect.objectContaining({ code: 'usage' })
    expect(() => check(createRaw(), { secret: wrong })).toThrow(error)
  },
)

test.each([
  ['an empty file', ''],
  ['another text', 'hello\nworld\n'],
  ['an HTTP response', 'HTTP/1.1 200 OK\r\n\r\n'],
  ['JSON without headers', '{"type":"ready"}\n{"type":"end"}\n'],
  ['truncated JSON', '{"type":"hit","headers":{'],
])('%s is a usage error', (_, text) => {
  const error = expect.objectContaining({ code: 'usage' })
  expect(() => parseSavedWebhooks(Buffer.from(text))).toThrow(error)
})
