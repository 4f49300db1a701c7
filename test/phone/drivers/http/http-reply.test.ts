import { describe, expect, it, onTestFinished } from 'vitest'
import { httpDriver, jsonBody, message, never, openSending, startProvider } from './provider.js'

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
    const { sent } = await openSending({}, { status })
    await expect(sent()).rejects.toMatchObject({ kind, message: values })
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['sent=409', { sent: '409' }, 409, 'sent'],
    ['retry=500-599', { retry: '500-599' }, 503, 'retry'],
    ['trouble=402, 503', { trouble: '402, 503' }, 503, 'trouble'],
    ['fail=200', { fail: '200' }, 200, 'fail'],
    ['unsure=retry', { unsure: 'retry' }, 500, 'retry'],
  ])('has the meaning that the option %s sets', async (_, options, status, kind) => {
    const { sent } = await openSending(options, { status })
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
    const driver = httpDriver({ url, ...jsonBody }, {}, now)
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
    const { sent } = await openSending({ success }, { status: 200, body })
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
    const { sent } = await openSending({ parts: 'n' }, { status: 200, body })
    expect(await sent()).toEqual(receipt)
  })

  const each = { success: 'm[*].status=0|10', code: 'm[*].status', 'code-fail': '3,6' }
  it.each<[string, Record<string, string>, number, string, string]>([
    ['of all parts', each, 200, '{"m":[{"status":"0"},{"status":10}]}', 'sent'],
    ['of no part', each, 200, '{"m":[]}', 'unknown'],
    ['of one part', each, 200, '{"m":[{"status":"0"},{"status":"5"}]}', 'unknown'],
    ['of no part for now', each, 200, '{"m":[{"status":"5"},{"status":"5"}]}', 'retry'],
    ['of an invalid number', each, 200, '{"m":[{"status":"3"},{"status":"6"}]}', 'fail'],
    [
      'of an accepted and a refused part',
      { code: 'm[*].status', 'code-sent': '0', 'code-fail': '3' },
      200,
      '{"m":[{"status":"0"},{"status":"3"}]}',
      'unknown',
    ],
    [
      'in a code before the status',
      { code: 'e.no,e', 'code-trouble': '7' },
      400,
      '{"e":7}',
      'trouble',
    ],
    ['in an unknown code', { code: 'e', 'code-trouble': '7' }, 400, '{"e":8}', 'fail'],
  ])('the result %s counts', async (_, options, status, body, kind) => {
    const { sent } = await openSending(options, { status, body })
    const result = sent().then(
      () => 'sent',
      error => error.kind,
    )
    expect(await result).toBe(kind)
  })

  it.each([
    ['OK 17', { networkIds: ['17'] }],
    ['OK', 'unknown'],
  ])('the text %s is read by a pattern', async (body, expected) => {
    const options = { pattern: '^OK (?<no>\\d+)', success: 'no', id: 'no', reports: 'poll' }
    const poll = { 'status-url': 'http://127.0.0.1:9/{providerid}', status: 'state' }
    const { sent } = await openSending({ ...options, ...poll }, { status: 200, body })
    expect(await sent().catch(error => error.kind)).toEqual(expected)
  })

  it('an incomplete reply counts by its status', async () => {
    const cut = (status: number) => (socket: { end(bytes: string): void }) =>
      socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 100\r\n\r\n{"ok"`)
    const { driver } = await openSending({}, cut(200), cut(400))
    expect(await driver.send(message, never)).toEqual({})
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'fail' })
    const strict = await openSending({ success: 'ok' }, cut(200))
    await expect(strict.sent()).rejects.toMatchObject({ kind: 'unknown' })
  })
})

describe('no reply', () => {
  it('to a closed port is trouble', async () => {
    const { sent, stop } = await openSending({})
    await stop()
    await expect(sent()).rejects.toMatchObject({
      kind: 'trouble',
      message: expect.stringContaining('127.0.0.1'),
    })
  })

  it('from an unknown host is trouble', async () => {
    const driver = httpDriver({ url: 'http://nowhere.invalid', ...jsonBody })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
  })

  it('from a server without TLS is trouble', async () => {
    const { host } = await startProvider(socket => socket.end())
    const driver = httpDriver({ url: `https://${host}`, ...jsonBody, timeout: '2' })
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'trouble' })
  })

  it('after the request was read is unknown', async () => {
    const { sent } = await openSending({}, socket => socket.destroy())
    await expect(sent()).rejects.toMatchObject({ kind: 'unknown' })
  })

  it('on a connection that the provider closes after the last text is unknown', async () => {
    const close = (socket: { destroy(): void }) => socket.destroy()
    const { driver, sent } = await openSending({}, { status: 200 }, close)
    expect(await sent()).toEqual({})
    await expect(driver.send(message, never)).rejects.toMatchObject({ kind: 'unknown' })
  })

  it('within the timeout is unknown', async () => {
    const { sent } = await openSending({ timeout: '1' }, () => {})
    await expect(sent()).rejects.toMatchObject({ kind: 'unknown', message: /1 s/ })
  })

  it('before a stop is unknown', async () => {
    const stop = new AbortController()
    const { driver } = await openSending({}, () => stop.abort())
    await expect(driver.send(message, stop.signal)).rejects.toMatchObject({ kind: 'unknown' })
    await expect(driver.send(message, stop.signal)).rejects.toMatchObject({ kind: 'trouble' })
  })
})

describe('through a proxy', () => {
  it.each([
    ['https', 407, 'trouble', / through the proxy .*HTTP status 407/],
    ['http', 407, 'trouble', / through the proxy .*HTTP status 407/],
    ['https', 200, 'trouble', / through the proxy /],
    ['http', 200, undefined, undefined],
  ])(
    'that answers a text over %s with %i, the result is %s',
    async (scheme, status, kind, text) => {
      const proxy = await startProvider({ status })
      const before = process.env.all_proxy
      process.env.all_proxy = proxy.url
      onTestFinished(() => {
        if (before === undefined) delete process.env.all_proxy
        else process.env.all_proxy = before
      })
      const driver = httpDriver({ url: `${scheme}://sms.test/send`, ...jsonBody, timeout: '2' })
      const sent = driver.send(message, never)
      if (kind === undefined) await sent
      else await expect(sent).rejects.toMatchObject({ kind, message: expect.stringMatching(text) })
      expect(proxy.requests[0]).toMatch(
        scheme === 'https' ? /^CONNECT sms\.test:443 / : /^POST http:\/\/sms\.test\/send /,
      )
    },
  )
})
