import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillRequestTemplate } from '../../../../src/phone/drivers/http/rules/request-template.js'
import { expectUsageError } from '../usage-error.js'
import {
  formatRequest,
  httpDriver,
  jsonBody,
  message,
  never,
  openSending,
  startProvider,
} from './provider.js'

describe('a request', () => {
  it.each<[string, Record<string, string>, (host: string) => string]>([
    [
      'json',
      { type: 'json', body: '{"to":"{digits}","text":"{text}","n":{parts}}' },
      host =>
        formatRequest(
          [
            'POST /send HTTP/1.1',
            `Host: ${host}`,
            'User-Agent: smsrelay',
            'Accept: application/json',
            'Content-Type: application/json',
          ],
          '{"to":"12025550123","text":"Hé & \\"100%\\" \\\\ {id}\\n","n":1}',
        ),
    ],
    [
      'form',
      { type: 'form', body: 'to={destination}&text={text}', 'header.accept': '*/*' },
      host =>
        formatRequest(
          [
            'POST /send HTTP/1.1',
            `Host: ${host}`,
            'User-Agent: smsrelay',
            'Content-Type: application/x-www-form-urlencoded',
            'accept: */*',
          ],
          'to=%2B12025550123&text=H%C3%A9+%26+%22100%25%22+%5C+%7Bid%7D%0A',
        ),
    ],
    [
      'query',
      { type: 'query', body: 'to={destination}&text={text}' },
      host =>
        formatRequest([
          'GET /send?to=%2B12025550123&' +
            'text=H%C3%A9%20%26%20%22100%25%22%20%5C%20%7Bid%7D%0A HTTP/1.1',
          ...[`Host: ${host}`, 'User-Agent: smsrelay', 'Accept: application/json'],
        ]),
    ],
    [
      'text',
      {
        type: 'text',
        body: '{destination} {text}',
        method: 'put',
        'header.Idempotency-Key': '{id}',
      },
      host =>
        formatRequest(
          [
            'PUT /send HTTP/1.1',
            `Host: ${host}`,
            'User-Agent: smsrelay',
            'Accept: application/json',
            'Content-Type: text/plain; charset=utf-8',
            'Idempotency-Key: id-1',
          ],
          '+12025550123 Hé & "100%" \\ {id}\n',
        ),
    ],
  ])('of type %s has exactly these bytes', async (_, options, expected) => {
    const { sent, requests, host } = await openSending(options)
    expect(await sent()).toEqual({})
    expect(requests).toEqual([expected(host)])
  })

  it('fills the address and adds to its query', async () => {
    const { url, requests } = await startProvider()
    const address = `${url}/a/{destination}?key={env:KEY}`
    const options = { url: address, type: 'query', body: 'text={text}', method: 'POST' }
    await httpDriver(options, { KEY: 'a b&c' }).send({ ...message, text: 'x y' }, never)
    expect(requests[0]).toMatch(
      /^POST \/a\/%2B12025550123\?key=a%20b%26c&text=x%20y HTTP\/1\.1\r\n/,
    )
  })

  it('a placeholder in a text is not filled', async () => {
    const { sent, requests } = await openSending({ type: 'text', body: '{id}|{text}' })
    await sent()
    expect(requests[0]).toMatch(/\r\n\r\nid-1\|Hé & "100%" \\ \{id\}\n$/)
  })

  it('any text is read back from JSON unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, id) => {
        const filled = fillRequestTemplate('{"a":"{text}","b":["{id}"]}', 'json', { text, id })
        expect(JSON.parse(filled)).toEqual({ a: text.toWellFormed(), b: [id.toWellFormed()] })
      }),
    )
  })

  it('any text is read back from a form or query unchanged', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('form', 'query'),
        (text, place) => {
          const read = new URLSearchParams(fillRequestTemplate('a={text}&b=1', place, { text }))
          expect([...read]).toEqual([
            ['a', text.toWellFormed()],
            ['b', '1'],
          ])
        },
      ),
    )
  })
})

it('texts share a connection', async () => {
  const { driver, connections } = await openSending({})
  for (const id of ['1', '2', '3']) await driver.send({ ...message, id }, never)
  expect(connections()).toBe(1)
  await driver[Symbol.asyncDispose]()
})

it.each([
  ['kannel', /&coding=2(&| )/, 'KANNEL_PASSWORD'],
  ['jasmin', /&coding=8&hex-content=041f04400438043204350442$/, 'JASMIN_PASSWORD'],
])('%s gets a text outside the GSM alphabet as UCS-2', async (preset, expected, variable) => {
  const { url, requests } = await startProvider()
  const driver = httpDriver({ preset, url, account: 'me' }, { [variable]: 'pass' })
  await driver.send({ ...message, text: 'Привет' }, never).catch(() => {})
  expect(requests[0]).toMatch(expected)
})

it('health shows whether the service can be reached, without a request', async () => {
  const { driver, stop, requests, host } = await openSending({})
  expect(await driver.health?.()).toMatchObject({ ok: true })
  await stop()
  expect(await driver.health?.()).toMatchObject({
    ok: false,
    detail: expect.stringContaining(host),
  })
  expect(requests).toEqual([])
})

describe('options', () => {
  const url = 'http://127.0.0.1:9'
  it.each<[Record<string, string>, string[]]>([
    [{}, ['url']],
    [{ url: 'ftp://x' }, ['url', 'http://']],
    [{ url: '127.0.0.1' }, ['url', 'http://']],
    [{ url, body: '{"a":"{mesage}"}' }, ['body', '{mesage}', '{destination}, {digits}, {text}']],
    [{ url, body: '{"a":{text}}' }, ['body', '{text}']],
    [{ url, body: '{"a":"{env:NO_SUCH}"}' }, ['body', 'NO_SUCH']],
    [{ url, 'header.X': '{text}' }, ['header.X', '{text}']],
    [{ url, 'header.X y': '1' }, ['header.X y']],
    [{ url, 'header.X': 'a\nb' }, ['header.X']],
    [{ url, method: 'get', ...jsonBody }, ['GET', 'type=query']],
    [{ url, header: 'X: 1' }, ['"header"']],
    [{ url, 'header.': '1' }, ['"header."']],
    [{ url, type: 'xml' }, ['type', 'json, form, query, text', '"xml"']],
    [{ url, method: 'GE T' }, ['method', '"GE T"']],
    [{ url, sent: '2xx' }, ['sent', '"2xx"']],
    [{ url, unsure: 'sent' }, ['unsure', 'unknown or retry', '"sent"']],
    [{ url, timeout: '0' }, ['timeout', 'seconds', '"0"']],
    [{ url, pattern: '(' }, ['pattern', '"("']],
    [{ url, reports: 'yes' }, ['reports', 'no, webhook, poll', '"yes"']],
    [{ url, reports: 'poll' }, ['status-url']],
    [{ url, reports: 'poll', 'status-url': 'http://a/{providerid}' }, ['status']],
    [{ url, reports: 'webhook' }, ['reports=webhook', 'preset']],
    [{ url, 'public-url': 'https://a' }, ['public-url', 'preset']],
    [{ preset: 'kannel', url, account: 'a', 'public-url': 'a' }, ['public-url', 'https://']],
    [{ url, signature: 'v2' }, ['signature', 'preset']],
    [{ preset: 'kannel', url, account: 'a', signature: 'v2' }, ['signature', 'Kannel']],
    [{ preset: 'plivo', account: 'a', from: 'b', signature: 'v1' }, ['signature', 'v2', '"v1"']],
    [{ preset: 'plivo', account: 'a', from: 'b', signature: 'toString' }, ['"toString"']],
    [{ preset: 'kannel', url, account: 'a', webhook: 'A/' }, ['webhook', '"A/"']],
    [
      { preset: 'kannel', url, account: 'a', 'public-url': 'https://a' },
      ['SMSRELAY_WEBHOOK_SECRET'],
    ],
    [{ preset: 'vonage', account: 'a', from: 'b', reports: 'poll' }, ['Vonage', 'webhook']],
  ])('%j are rejected', (options, values) => {
    expectUsageError(() => httpDriver(options), ...values)
  })
})
