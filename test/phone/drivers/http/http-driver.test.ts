import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillRequestTemplate } from '../../../../src/phone/drivers/http/request-template.js'
import { bytesOf, httpDriver, type Reply, startProvider } from './provider.js'

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
        bytesOf(
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
        bytesOf(
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
        bytesOf([
          'GET /send?to=%2B12025550123&text=H%C3%A9%20%26%20%22100%25%22%20%5C%20%7Bid%7D%0A HTTP/1.1',
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
        bytesOf(
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
  ])('of type %s is this, byte for byte', async (_, options, expected) => {
    const { sent, requests, host } = await sending(options)
    expect(await sent()).toEqual({})
    expect(requests).toEqual([expected(host)])
  })

  it('has its place in the address, and adds to a query that is there', async () => {
    const { url, requests } = await startProvider()
    const address = `${url}/a/{destination}?key={env:KEY}`
    const options = { url: address, type: 'query', body: 'text={text}', method: 'POST' }
    await httpDriver(options, { KEY: 'a b&c' }).send({ ...message, text: 'x y' }, never)
    expect(requests[0]).toMatch(
      /^POST \/a\/%2B12025550123\?key=a%20b%26c&text=x%20y HTTP\/1\.1\r\n/,
    )
  })

  it('never puts a text into a text', async () => {
    const { sent, requests } = await sending({ type: 'text', body: '{id}|{text}' })
    await sent()
    expect(requests[0]).toMatch(/\r\n\r\nid-1\|Hé & "100%" \\ \{id\}\n$/)
  })

  it('in JSON is what was to be sent, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, id) => {
        const filled = fillRequestTemplate('{"a":"{text}","b":["{id}"]}', 'json', { text, id })
        expect(JSON.parse(filled)).toEqual({ a: text.toWellFormed(), b: [id.toWellFormed()] })
      }),
    )
  })

  it('in a form and in a query is what was to be sent, whatever it is', () => {
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

describe('an answer', () => {
  it.each<[number, string, RegExp]>([
    [301, 'trouble', /Redirects are not followed/],
    [400, 'fail', /answered 400 Bad Request\.$/],
    [401, 'trouble', /Check the user, the password or the key/],
    [403, 'trouble', /Check the user/],
    [404, 'fail', /Check the url/],
    [408, 'retry', /408/],
    [422, 'fail', /422/],
    [429, 'trouble', /Too Many Requests/],
    [500, 'unknown', /500/],
    [503, 'unknown', /503/],
  ])('of %i is %s', async (status, kind, sentence) => {
    const { sent } = await sending({}, { status })
    await expect(sent()).rejects.toMatchObject({ kind, message: sentence })
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['sent=409', { sent: '409' }, 409, 'sent'],
    ['retry=500-599', { retry: '500-599' }, 503, 'retry'],
    ['trouble=402, 503', { trouble: '402, 503' }, 503, 'trouble'],
    ['fail=200', { fail: '200' }, 200, 'fail'],
    ['unsure=retry', { unsure: 'retry' }, 500, 'retry'],
  ])('means with %s what that says', async (_, options, status, kind) => {
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
  ])('of 429 with Retry-After: %s is waited for', async (header, wait) => {
    const { url } = await startProvider({ status: 429, headers: { 'Retry-After': header } })
    const now = () => Date.UTC(2026, 10, 21, 12)
    const driver = httpDriver({ url, ...json }, {}, now)
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble', wait })
  })

  it.each<[string, string, string, RegExp | undefined]>([
    ['ok', '{"ok":true}', 'sent', undefined],
    ['ok', '{"ok":false}', 'retry', /answered 200, but with ok false\.$/],
    ['ok', '{}', 'unknown', /but without ok\.$/],
    ['ok', 'no JSON', 'unknown', /but without ok/],
    ['messages[0].status=0', '{"messages":[{"status":"0"}]}', 'sent', undefined],
    [
      'messages[0].status=0',
      '{"messages":[{"status":"4"}]}',
      'retry',
      /with messages\[0\]\.status "4"/,
    ],
    ['messages[0].status=0', '{"messages":[]}', 'unknown', /without messages/],
    ['toString', '{}', 'unknown', /without toString/],
  ])('of 200 that has to say %s and says %s is %s', async (success, body, kind, sentence) => {
    const { sent } = await sending({ success }, { status: 200, body })
    const error = await sent().then(
      () => ({ kind: 'sent', message: '' }),
      each => each,
    )
    expect(error.kind).toBe(kind)
    if (sentence !== undefined) expect(error.message).toMatch(sentence)
  })

  it.each([
    ['{"n":3}', { parts: 3 }],
    ['{"n":"3"}', { parts: 3 }],
    ['{"n":0}', {}],
    ['{"n":null}', {}],
    ['{}', {}],
  ])('%s gives %j as its parts', async (body, receipt) => {
    const { sent } = await sending({ parts: 'n' }, { status: 200, body })
    expect(await sent()).toEqual(receipt)
  })

  it('that breaks off counts by its status', async () => {
    const cut = (status: number) => (socket: { end(bytes: string): void }) =>
      socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 100\r\n\r\n{"ok"`)
    const { driver } = await sending({}, cut(200), cut(400))
    expect(await driver.send(message, never)).toEqual({})
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'fail' })
    const strict = await sending({ success: 'ok' }, cut(200))
    await expect(strict.sent()).rejects.toMatchObject({ kind: 'unknown' })
  })
})

describe('no answer', () => {
  it('because nothing listens is trouble', async () => {
    const { sent, stop } = await sending({})
    await stop()
    await expect(sent()).rejects.toMatchObject({
      kind: 'trouble',
      message: /cannot be reached: nothing listens/,
    })
  })

  it('because there is no such host is trouble', async () => {
    const driver = httpDriver({ url: 'http://nowhere.invalid', ...json })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
  })

  it('because it does not speak TLS is trouble', async () => {
    const { host } = await startProvider(socket => socket.end())
    const driver = httpDriver({ url: `https://${host}`, ...json, timeout: '2' })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
  })

  it('once the request was read is unknown', async () => {
    const { sent } = await sending({}, socket => socket.destroy())
    await expect(sent()).rejects.toMatchObject({ kind: 'unknown', message: /may have the text/ })
  })

  it('in time is unknown', async () => {
    const { sent } = await sending({ timeout: '1' }, () => {})
    await expect(sent()).rejects.toMatchObject({ kind: 'unknown', message: /no answer in 1 s/ })
  })

  it('before it is stopped is unknown', async () => {
    const stop = new AbortController()
    const { driver } = await sending({}, () => stop.abort())
    await expect(driver.send(message, stop.signal)).rejects.toMatchObject({ kind: 'unknown' })
    await expect(driver.send(message, stop.signal)).rejects.toMatchObject({ kind: 'trouble' })
  })
})

it('says in its health whether the service can be reached, and asks it nothing', async () => {
  const { driver, stop, requests, host } = await sending({})
  expect(await driver.health?.()).toMatchObject({ ok: true })
  await stop()
  expect(await driver.health?.()).toEqual({
    ...{ ok: false, detail: `${host} cannot be reached: nothing listens there.` },
  })
  expect(requests).toEqual([])
})

describe('options', () => {
  const url = 'http://127.0.0.1:9'
  it.each<[Record<string, string>, RegExp]>([
    [{}, /needs the option url/],
    [{ url: 'ftp://x' }, /must be an address that begins with http/],
    [{ url: '127.0.0.1' }, /must be an address/],
    [
      { url, body: '{"a":"{mesage}"}' },
      /body has \{mesage\}; there are \{destination\}, \{digits\}, \{text\}/,
    ],
    [{ url, body: '{"a":{text}}' }, /quotation marks around \{text\}/],
    [{ url, body: '{"a":"{env:NO_SUCH}"}' }, /body needs NO_SUCH: set it in the environment/],
    [{ url, 'header.X': '{text}' }, /header.X has \{text\}/],
    [{ url, 'header.X y': '1' }, /not a header/],
    [{ url, 'header.X': 'a\nb' }, /not a header/],
    [{ url, method: 'get', ...json }, /A GET has no body: put type=query/],
    [{ url, header: 'X: 1' }, /no option "header"/],
    [{ url, 'header.': '1' }, /no option "header\."/],
    [{ url, type: 'xml' }, /type is one of json, form, query, text/],
    [{ url, method: 'GE T' }, /method must be/],
    [{ url, sent: '2xx' }, /sent is a list of statuses/],
    [{ url, unsure: 'sent' }, /unsure is unknown or retry/],
    [{ url, timeout: '0' }, /timeout must be a number of seconds/],
  ])('%j are refused', (options, sentence) => {
    expect(() => httpDriver(options)).toThrow(sentence)
  })
})
