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

function rawHit(
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

function only(text: string): SavedWebhook {
  const [hit, ...more] = parseSavedWebhooks(Buffer.from(text))
  if (hit === undefined || more.length > 0) throw new Error('not one hit')
  return hit
}

function check(text: string, changes: Partial<Parameters<typeof verifyWebhook>[1]> = {}) {
  return verifyWebhook(only(text), {
    secret,
    now: at * 1000 + 3000,
    tolerance: 5 * minute,
    ...changes,
  })
}

const valid = { valid: true, id: 'evt_12_m_1', sequence: 12, signed_at: '2030-01-01T00:00:00.000Z' }

describe('a saved hit is valid', () => {
  const listened = (post: boolean): string => {
    const { target, headers, body } = only(rawHit(post))
    return JSON.stringify({ type: 'hit', url: target, headers, body })
  }

  test.each<[string, string]>([
    ['as it was received', rawHit()],
    ['with its data in the query', rawHit(false)],
    ['with line feeds alone', rawHit().replaceAll('\r\n', '\n')],
    ['with a line end behind its body', `${rawHit()}\n`],
    ['without the blank line at its end', rawHit(false).trimEnd()],
    ['with its header names in other letters', rawHit().replace('webhook-id', 'Webhook-Id')],
    ['with brackets that a tool decoded', rawHit(false).replace(/%5Bid%5D/g, '[id]')],
    ['about a received text', rawHit(true, {}, received)],
    ['about a received text, in the query', rawHit(false, {}, received)],
    [
      'about a received text, with brackets that a tool decoded',
      rawHit(false, {}, received).replace(/%5Bid%5D/g, '[id]'),
    ],
    ['as a line of JSON', `${listened(true)}\n`],
    ['as a line of JSON, with its data in the query', listened(false)],
    ['as JSON on many lines', JSON.stringify(JSON.parse(listened(true)), null, 2)],
    ['among lines of another kind', `{"type":"ready"}\n${listened(true)}\n{"type":"end"}\n`],
    ['signed by two secrets, the other first', rawHit(true, { secrets: [other, secret] })],
    ['signed by two secrets', rawHit(true, { secrets: [secret, other] })],
  ])('%s', (_, text) => {
    expect(check(text)).toEqual(valid)
  })

  test('just within the tolerance, and at any age with none', () => {
    expect(check(rawHit(), { now: at * 1000 + 5 * minute })).toEqual(valid)
    expect(check(rawHit(), { now: at * 1000 - 5 * minute })).toEqual(valid)
    expect(check(rawHit(), { now: at * 5000, tolerance: 0 })).toEqual(valid)
  })
})

describe('what is wrong with a hit is said', () => {
  const without = (name: string): string => rawHit().replace(new RegExp(`${name}: .*\r\n`), '')
  const with_ = (name: string, value: string): string =>
    rawHit().replace(new RegExp(`${name}: .*\r\n`), `${name}: ${value}\r\n`)

  test.each<[string, string, string, string]>([
    ['no identifier', without('webhook-id'), 'missing_header', 'no webhook-id header'],
    ['no time', without('webhook-timestamp'), 'missing_header', 'no webhook-timestamp header'],
    ['no signature', rawHit(true, { secrets: [] }), 'missing_header', 'no webhook-signature'],
    ['no time at all', with_('webhook-timestamp', 'now'), 'malformed_header', 'webhook-timestamp'],
    ['another scheme', with_('webhook-signature', 'v2,abc'), 'malformed_header', 'version v1'],
    ['another secret', rawHit(true, { secrets: [other] }), 'other_secret', 'another secret'],
    ['another time', with_('webhook-timestamp', String(at + 1)), 'other_secret', 'was changed'],
    ['another body', rawHit().replace('"m_1"', '"m_2"'), 'changed_data', 'The body was changed'],
    ['a body with a space', rawHit().replace('":{', '": {'), 'changed_data', 'The body'],
    ['no body', rawHit().replace(/\{.*$/s, ''), 'cut_off', '24 bytes are missing'],
    ['half a body', rawHit().slice(0, -10), 'cut_off', '10 bytes are missing'],
    ['other data', rawHit(false).replace('=m_1', '=m_2'), 'changed_data', 'data in the query'],
    ['no data', rawHit(false).replace(/&message.*?=m_1/, ''), 'changed_data', 'was signed'],
    ['another place', with_('webhook-sequence', '13'), 'changed_sequence', 'says 13'],
  ])('%s', (_, text, problem, words) => {
    const found = check(text)
    expect(found).toMatchObject({ valid: false, problem, reason: expect.stringContaining(words) })
  })

  test.each([
    [5 * minute + 1000, 'too_old', 'signed 5 min ago, and 5 min are allowed'],
    [90 * minute, 'too_old', 'signed 90 min ago'],
    [30 * 60 * minute, 'too_old', 'signed 30 h ago'],
    [100 * 60 * minute, 'too_old', 'signed 4 days ago'],
    [-10 * minute, 'too_new', "signed 10 min ahead of this machine's clock"],
  ])('a time off by %i ms', (off, problem, words) => {
    const found = check(rawHit(), { now: at * 1000 + off })
    expect(found).toMatchObject({ valid: false, problem, reason: expect.stringContaining(words) })
  })

  test('a forged hit is called forged, not old', () => {
    const found = check(rawHit(true, { secrets: [other] }), { now: at * 2000 })
    expect(found).toMatchObject({ problem: 'other_secret' })
  })
})

test.each(['', 'hello', 'whsec_', 'whsec_???', secret.slice(6), `${secret}!`])(
  'the secret %j is a usage error',
  wrong => {
    expect(() => check(rawHit(), { secret: wrong })).toThrow('The secret is not one')
  },
)

test.each([
  ['nothing', ''],
  ['a text', 'hello\nworld\n'],
  ['an answer', 'HTTP/1.1 200 OK\r\n\r\n'],
  ['JSON without headers', '{"type":"ready"}\n{"type":"end"}\n'],
  ['JSON that is cut off', '{"type":"hit","headers":{'],
])('%s is no saved hit', (_, text) => {
  expect(() => parseSavedWebhooks(Buffer.from(text))).toThrow('This is not a saved hit')
})
