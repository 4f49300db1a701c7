import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  createWebhookRequest,
  formatWebhookRequest,
  type WebhookDetails,
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
  changes: { method?: string; post?: boolean } = {},
  stamp: Partial<WebhookDetails> = {},
) {
  return createWebhookRequest(
    event,
    { url, method: 'POST', post: false, ...changes },
    { ...unsigned, ...stamp },
  )
}

describe('a webhook about a received text', () => {
  const received = { ...event, event: 'message.received' } as const
  const at = (post: boolean) =>
    createWebhookRequest(received, { url: 'http://h/p', method: 'POST', post }, { ...unsigned })

  test('has the object `received` in the query or in the body', () => {
    expect(at(false)).toMatchObject({ target: `/p?received%5Bid%5D=${id}`, body: '' })
    expect(at(true)).toMatchObject({ target: '/p', body: `{"received":{"id":"${id}"}}` })
    expect(at(true).headers['webhook-id']).toBe(`evt_12_${id}`)
  })
})

describe('a webhook about a number', () => {
  const blocked = { ...event, event: 'number.blocked', message: '+12025550143' } as const
  const at = (post: boolean) =>
    createWebhookRequest(blocked, { url: 'http://h/p', method: 'POST', post }, { ...unsigned })

  test('has the number in the query, encoded, or in the body', () => {
    expect(at(false)).toMatchObject({ target: '/p?number%5Bid%5D=%2B12025550143', body: '' })
    expect(at(true)).toMatchObject({ target: '/p', body: '{"number":{"id":"+12025550143"}}' })
    expect(at(true).headers['webhook-id']).toBe('evt_12_+12025550143')
  })
})

describe('the target of a webhook', () => {
  test.each([
    ['http://h', `/?message%5Bid%5D=${id}`],
    ['http://h/p', `/p?message%5Bid%5D=${id}`],
    ['http://h/p?', `/p?message%5Bid%5D=${id}`],
    ['http://h/p?a=1', `/p?a=1&message%5Bid%5D=${id}`],
    ['http://h/p?a=1&', `/p?a=1&message%5Bid%5D=${id}`],
    ['http://h/p?a=1#part?x', `/p?a=1&message%5Bid%5D=${id}`],
    ['http://h/p#part?x=1', `/p?message%5Bid%5D=${id}`],
    ['http://h/p?a=1?', `/p?a=1?&message%5Bid%5D=${id}`],
    [`http://h?q='"<>[]|%zz+%20&&=`, `/?q='"<>[]|%zz+%20&&=&message%5Bid%5D=${id}`],
    ['http://h/ü/ß?q=é', `/%C3%BC/%C3%9F?q=%C3%A9&message%5Bid%5D=${id}`],
    ['http://h?q=€😀', `/?q=%E2%82%AC%F0%9F%98%80&message%5Bid%5D=${id}`],
    ['http://h/a%2Fb/;x=1,2', `/a%2Fb/;x=1,2?message%5Bid%5D=${id}`],
  ])('%s → %s', (url, target) => {
    expect(build(url).target).toBe(target)
  })

  test('is unchanged if the data is in the body', () => {
    expect(build(`http://h/p?a='1'&#f`, { post: true }).target).toBe(`/p?a='1'&`)
    expect(build('http://h/p?', { post: true }).target).toBe('/p?')
  })

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

describe('the login in a URL', () => {
  test.each([
    ['http://me:pass@h', 'me:pass'],
    ['http://me@h', 'me:'],
    ['http://:pass@h', ':pass'],
    ['http://m%40e:p%3Aa%2Fss%20@h', 'm@e:p:a/ss '],
    ['http://jürgen:%C3%BC€@h', 'jürgen:ü€'],
    ['http://me:100%@h', 'me:100%'],
  ])('%s is sent as %s', (url, login) => {
    const { Authorization } = build(url).headers
    expect(Authorization).toMatch(/^Basic /)
    expect(Buffer.from(Authorization?.slice(6) ?? '', 'base64').toString()).toBe(login)
  })

  test('is not sent if it is empty', () => {
    expect(build('http://@h').headers).not.toHaveProperty('Authorization')
  })
})

describe('header fields and body', () => {
  test('with post are JSON with its length', () => {
    expect(build('http://h', { method: 'PUT', post: true })).toEqual({
      method: 'PUT',
      url: 'http://h/',
      target: '/',
      headers: {
        Host: 'h',
        'User-Agent': 'smsrelay',
        'X-Hook-From': 'smsrelay',
        'Content-Type': 'application/json',
        'Content-Length': '57',
        'webhook-id': `evt_12_${id}`,
        'webhook-timestamp': '1893456000',
        'webhook-sequence': '12',
        'webhook-previous': '9',
      },
      body: `{"message":{"id":"${id}"}}`,
    })
  })

  test('without post are an empty text', () => {
    const { headers, body } = build('http://h', { method: 'foo!' })
    expect(headers).toMatchObject({ 'Content-Type': 'text/plain', 'Content-Length': '0' })
    expect(body).toBe('')
  })
})

describe('the signature', () => {
  const secrets = [
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    `whsec_${btoa('another secret of 24 byte')}`,
  ]

  /** The signature scheme of Standard Webhooks, with node:crypto. */
  function expected(secret: string, data: string, timestamp = 1_893_456_000): string {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const content = `evt_12_${id}.${timestamp}.${data}`
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  }

  test('covers the identifier, the time and the body', () => {
    const { headers, body } = build('http://h', { post: true }, { secrets: secrets.slice(0, 1) })
    expect(headers['webhook-signature']).toBe(expected(secrets[0] ?? '', body))
  })

  test('covers the data in the query without the query of the URL', () => {
    const { headers } = build('http://h/p?a=1', {}, { secrets: secrets.slice(0, 1), timestamp: 5 })
    const data = `message%5Bid%5D=${id}`
    expect(headers['webhook-signature']).toBe(expected(secrets[0] ?? '', data, 5))
  })

  test('of each secret is in one field, in the order of the secrets', () => {
    const { headers, body } = build('http://h', { post: true }, { secrets })
    const both = secrets.map(secret => expected(secret, body)).join(' ')
    expect(headers['webhook-signature']).toBe(both)
  })

  test('is accepted by the standardwebhooks library', () => {
    const timestamp = Math.floor(Date.now() / 1000)
    const { headers, body } = build('http://h', { post: true }, { secrets, timestamp })
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({ message: { id } })
    }
  })

  test('comes between the time and the sequence, after the fields of the interface', () => {
    const { headers } = build('http://me@h', {}, { secrets })
    expect(Object.keys(headers)).toEqual([
      'Host',
      'User-Agent',
      'X-Hook-From',
      'Authorization',
      'Content-Type',
      'Content-Length',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'webhook-sequence',
      'webhook-previous',
    ])
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

  test('has the event in the query, and at most so many characters', () => {
    const request = build(address)
    const first = `POST https://example.com/a?token=•••&•••&n=•••&message%5Bid%5D=${id}`
    expect(formatWebhookRequest(request, 2048).split('\n')[0]).toBe(first)
    expect(formatWebhookRequest(request, 50)).toBe(first.slice(0, 50))
  })
})
