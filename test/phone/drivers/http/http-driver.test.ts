import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillRequestTemplate } from '../../../../src/phone/drivers/http/request-template.js'
import { expectUsageError } from '../usage-error.js'
import { formatRequest, httpDriver, type Reply, startProvider } from './provider.js'

const never = new AbortController().signal
const message = { id: 'id-1', destination: '+12025550123', text: 'Hé & "100%" \\ {id}\n' }
const json = { body: '{"to":"{destination}","text":"{text}"}' }

async function sending(options: Record<string, string>, ...script: readonly Reply[]) {
  const provider = await startProvider(...script)
  const driver = httpDriver({ url: `${provider.url}/send`, ...json, ...options })
  return { ...provider, driver, sent: () => driver.send(message, never) }
}

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
    const { sent, requests, host } = await sending(options)
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
    const { sent, requests } = await sending({ type: 'text', body: '{id}|{text}' })
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

describe('a reply', () => {
  it.each<[number, string, RegExp]>([
    [301, 'trouble', /301.*url/],
    [400, 'fail', /400/],
    [401, 'trouble', /401.*password/],
    [403, 'trouble', /403/],
    [404, 'fail', /404.*url/],
    [408, 'retry', /408/],
    [422, 'fail', /422/],
    [429, 'trouble', /429/],
    [500, 'unknown', /500/],
    [503, 'unknown', /503/],
  ])('with status %i is %s', async (status, kind, values) => {
    const { sent } = await sending({}, { status })
    await expect(sent()).rejects.toMatchObject({ kind, message: values })
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['sent=409', { sent: '409' }, 409, 'sent'],
    ['retry=500-599', { retry: '500-599' }, 503, 'retry'],
    ['trouble=402, 503', { trouble: '402, 503' }, 503, 'trouble'],
    ['fail=200', { fail: '200' }, 200, 'fail'],
    ['unsure=retry', { unsure: 'retry' }, 500, 'retry'],
  ])('has the meaning that the option %s sets', async (_, options, status, kind) => {
    const { sent } = await sending(options, { status })
    expect(
      await sent().then(
        () => 'sent',
        error => error.kind,
      ),
    ).toBe(kind)
  })

  it.each([
    ['120', 120_000],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['999999', 900_000],
    ['soon', 0],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ])('429 with Retry-After: %s sets the wait', async (header, wait) => {
    const { url } = await startProvider({ status: 429, headers: { 'Retry-After': header } })
    const now = () => Date.UTC(2026, 10, 21, 12)
    const driver = httpDriver({ url, ...json }, {}, now)
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble', wait })
  })

  it.each<[string, string, string, RegExp | undefined]>([
    ['ok', '{"ok":true}', 'sent', undefined],
    ['ok', '{"ok":false}', 'retry', /200.*ok false/],
    ['ok', '{}', 'unknown', /200.*without ok/],
    ['ok', 'no JSON', 'unknown', /without ok/],
    ['messages[0].status=0', '{"messages":[{"status":"0"}]}', 'sent', undefined],
    [
      'messages[0].status=0',
      '{"messages":[{"status":"4"}]}',
      'retry',
      /with messages\[0\]\.status "4"/,
    ],
    ['messages[0].status=0', '{"messages":[]}', 'unknown', /without messages/],
    ['toString', '{}', 'unknown', /without toString/],
  ])('200 with success=%s and the body %s is %s', async (success, body, kind, values) => {
    const { sent } = await sending({ success }, { status: 200, body })
    const error = await sent().then(
      () => ({ kind: 'sent', message: '' }),
      each => each,
    )
    expect(error.kind).toBe(kind)
    if (values !== undefined) expect(error.message).toMatch(values)
  })

  it.each([
    ['{"n":3}', { parts: 3 }],
    ['{"n":"3"}', { parts: 3 }],
    ['{"n":0}', {}],
    ['{"n":null}', {}],
    ['{}', {}],
  ])('the body %s gives the receipt %j', async (body, receipt) => {
    const { sent } = await sending({ parts: 'n' }, { status: 200, body })
    expect(await sent()).toEqual(receipt)
  })

  it('an incomplete reply counts by its status', async () => {
    const cut = (status: number) => (socket: { end(bytes: string): void }) =>
      socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 100\r\n\r\n{"ok"`)
    const { driver } = await sending({}, cut(200), cut(400))
    expect(await driver.send(message, never)).toEqual({})
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'fail' })
    const strict = await sending({ success: 'ok' }, cut(200))
    await expect(strict.sent()).rejects.toMatchObject({ kind: 'unknown' })
  })
})

describe('no reply', () => {
  it('to a closed port is trouble', async () => {
    const { sent, stop } = await sending({})
    await stop()
    await expect(sent()).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('127.0.0.1'),
    })
  })

  it('from an unknown host is trouble', async () => {
    const driver = httpDriver({ url: 'http://nowhere.invalid', ...json })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
  })

  it('from a server without TLS is trouble', async () => {
    const { host } = await startProvider(socket => socket.end())
    const driver = httpDriver({ url: `https://${host}`, ...json, timeout: '2' })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
  })

  it('after the request was read is unknown', async () => {
    const { sent } = await sending({}, socket => socket.destroy())
    await expect(sent()).rejects.toMatchObject({ kind: 'unknown' })
  })

  it('within the timeout is unknown', async () => {
    const { sent } = await sending({ timeout: '1' }, () => {})
    await expect(sent()).rejects.toMatchObject({ kind: 'unknown', message: /1 s/ })
  })

  it('before a stop is unknown', async () => {
    const stop = new AbortController()
    const { driver } = await sending({}, () => stop.abort())
    await expect(driver.send(message, stop.signal)).rejects.toMatchObject({ kind: 'unknown' })
    await expect(driver.send(message, stop.signal)).rejects.toMatchObject({ kind: 'trouble' })
  })
})

it('health tells whether the service can be reached, without a request', async () => {
  const { driver, stop, requests, host } = await sending({})
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
    [{ url, method: 'get', ...json }, ['GET', 'type=query']],
    [{ url, header: 'X: 1' }, ['"header"']],
    [{ url, 'header.': '1' }, ['"header."']],
    [{ url, type: 'xml' }, ['type', 'json, form, query, text', '"xml"']],
    [{ url, method: 'GE T' }, ['method', '"GE T"']],
    [{ url, sent: '2xx' }, ['sent', '"2xx"']],
    [{ url, unsure: 'sent' }, ['unsure', 'unknown or retry', '"sent"']],
    [{ url, timeout: '0' }, ['timeout', 'seconds', '"0"']],
  ])('%j are rejected', (options, values) => {
    expectUsageError(() => httpDriver(options), ...values)
  })
})
