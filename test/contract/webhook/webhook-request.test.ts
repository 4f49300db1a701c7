import { describe, expect, test } from 'vitest'
import {
  createWebhookRequest,
  formatWebhookRequest,
  maskReply,
  type WebhookDetails,
  type WebhookTarget,
} from '../../../src/contract/webhook/webhook-request.js'

const id = '0198c0de-0000-7000-8000-000000000001'

const event = { seq: 12, event: 'message.sent', message: id } as const
const unsigned: WebhookDetails = {
  previous: 9,
  from: 'smsrelay',
  secrets: [],
  timestamp: 1_893_456_000,
}

function build(
  url: string,
  changes: Partial<WebhookTarget> = {},
  stamp: Partial<WebhookDetails> = {},
) {
  return createWebhookRequest(
    event,
    { url, method: 'POST', post: false, ...changes },
    { ...unsigned, ...stamp },
  )
}

describe('the host of a webhook', () => {
  test.each([
    ['http://user:secret@Example.COM:8080/p', 'http://example.com:8080', 'example.com:8080'],
    ['https://h:443/p', 'https://h', 'h'],
    ['http://h:443/p', 'http://h:443', 'h:443'],
    ['http://[::1]:81/p', 'http://[::1]:81', '[::1]:81'],
    ['http://bücher.example/p', 'http://xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('%s is sent to %s with Host %s', (url, origin, host) => {
    const { url: address, target, headers } = build(url)
    expect(address).toBe(origin + target)
    expect(headers.Host).toBe(host)
  })
})

describe('the text of a webhook in the log', () => {
  const address = 'https://ann:secret@example.com/a?token=abc&flag&n=1'

  test('has everything that was sent but the login and the values in the query', () => {
    const stamp = { secrets: ['whsec_c2VjcmV0'] }
    const request = build(address, { post: true }, stamp)
    expect(formatWebhookRequest(request, 2048)).toBe(
      [
        'POST https://example.com/a?token=•••&•••&n=•••',
        'Host: example.com',
        'User-Agent: smsrelay',
        'X-Hook-From: smsrelay',
        'Authorization: •••',
        'Content-Type: application/json',
        'Content-Length: 57',
        `webhook-id: evt_12_${id}`,
        'webhook-timestamp: 1893456000',
        `webhook-signature: ${request.headers['webhook-signature']}`,
        'webhook-sequence: 12',
        'webhook-previous: 9',
        '',
        `{"message":{"id":"${id}"}}`,
      ].join('\n'),
    )
  })

  test('has the names of own header fields, and neither it nor the reply their values', () => {
    const headers = { authorization: 'Bearer s3cret.Key', 'x-n': '7' }
    const request = build('https://example.com/a', { headers })
    expect(request.headers).toMatchObject(headers)
    const text = formatWebhookRequest(request, 2048)
    expect(text).toMatch(/^authorization: •••\nx-n: •••$/m)
    const reply = '{"got":"Bearer s3cret.Key","key":"s3cret.Key","n":7}'
    expect(maskReply(reply, request)).toBe('{"got":"Bearer •••","key":"•••","n":7}')
  })

  test('has the event in the query, and at most so many characters', () => {
    const request = build(address)
    const first = `POST https://example.com/a?token=•••&•••&n=•••&message%5Bid%5D=${id}`
    expect(formatWebhookRequest(request, 2048).split('\n')[0]).toBe(first)
    expect(formatWebhookRequest(request, 50)).toBe(first.slice(0, 50))
  })
})
