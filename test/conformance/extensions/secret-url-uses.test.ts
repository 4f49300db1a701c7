import { expect, test } from 'vitest'
import { block, freshNumber, freshText, listedIds, read } from '../acts.js'
import { expectError, form, request } from '../calls.js'
import { useSecretUrls } from './extension-rigs.js'

const { at, make, listed, get, accepted, expectPrivate } = useSecretUrls()

test('extension: a secret URL beyond its rate is too_many_requests with Retry-After', async () => {
  const { url } = await make({ destination: freshNumber(), message: 'x', rate: '2/d' })
  for (let n = 0; n < 2; n += 1) await accepted(await get(url))
  const reply = await get(url)
  expectError(reply, 429, 'too_many_requests')
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(80_000)
})

test('extension: a rejected request does not count for the rate', async () => {
  const made = await make({ destination: freshNumber(), rate: '1/d' })
  expectError(await get(made.url), 400, 'invalid_request')
  await accepted(await get(made.url, { message: 'x' }))
  expect((await listed(made))?.used_count).toBe(1)
})

test('extension: a rate of one accepts one of many requests at once', async () => {
  const { url } = await make({ destination: freshNumber(), message: 'x', rate: '1/d' })
  const replies = await Promise.all(Array.from({ length: 8 }, () => get(url)))
  expect(replies.map(each => each.status).sort()).toEqual([200, ...Array(7).fill(429)])
})

test.each([
  ['the header Idempotency-Key', { 'idempotency-key': 'k' }, {}],
  ['the parameter key', {}, { key: 'k' }],
])(
  'extension: a repeated use with %s sends once and ignores the rate',
  async (_, headers, fields) => {
    const made = await make({ destination: freshNumber(), rate: '1/d' })
    const first = await get(made.url, { message: 'x', ...fields }, headers)
    const again = await get(made.url, { message: 'x', ...fields }, headers)
    expect(await accepted(again)).toBe(await accepted(first))
    expect((await listed(made))?.used_count).toBe(1)
    const other = await get(made.url, { message: 'y', ...fields }, headers)
    expectError(other, 400, 'invalid_request')
  },
)

test('extension: each secret URL has its own idempotency keys', async () => {
  const destination = freshNumber()
  const headers = { 'idempotency-key': freshText() }
  const body = form({ message: { destination, message: 'x' } })
  const api = (await at.api.call('POST', '/message', { headers, body })).body.message.id
  const urls = [await make(), await make()]
  const replies = urls.map(async ({ url }) =>
    accepted(await get(url, { destination, message: 'x' }, headers)),
  )
  expect(new Set([api, ...(await Promise.all(replies))]).size).toBe(3)
})

test.each(['HEAD', 'OPTIONS'])('extension: %s of a secret URL sends nothing', async method => {
  const made = await make({ destination: freshNumber(), message: freshText() })
  const before = await listedIds(at.api)
  const reply = await request(made.url, method)
  expect(reply.status).toBeLessThan(300)
  expect(reply.text).toBe('')
  expectPrivate(reply)
  expect(await listedIds(at.api)).toEqual(before)
  expect((await listed(made))?.used_count).toBe(0)
})

test.each([
  ['sec-purpose', 'prefetch'],
  ['sec-purpose', 'prefetch;prerender'],
  ['purpose', 'prefetch'],
  ['x-purpose', 'preview'],
  ['x-moz', 'prefetch'],
])('extension: GET of a secret URL with %s: %s sends nothing', async (name, value) => {
  const made = await make({ destination: freshNumber(), message: 'x' })
  const reply = await get(made.url, {}, { [name]: value })
  expectError(reply, 503, 'unavailable')
  expectPrivate(reply)
  expect((await listed(made))?.used_count).toBe(0)
})

test('extension: with confirm GET shows a form whose POST sends once', async () => {
  const made = await make({ confirm: true })
  const text = `"><script>alert(1)</script>&'${freshText()}`
  const page = await get(made.url, { destination: '5551212', message: text })
  expect(page.headers.get('content-type')).toMatch(/^text\/html\b/)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expectPrivate(page)
  expect(page.text).not.toContain('<script')
  expect(page.text).not.toContain(made.url.split('/').at(-1))
  expect((await listed(made))?.used_count).toBe(0)
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page.text) ?? []
  const send = () =>
    request(new URL(action, made.url).href, 'POST', {
      body: form({ destination: '5551212', message: text }),
    })
  expect(await accepted(await send())).toBe(await accepted(await send()))
  expect((await listed(made))?.used_count).toBe(1)
})

test('extension: with confirm GET without accepting HTML is method_not_allowed', async () => {
  const { url } = await make({ confirm: true })
  const reply = await get(url, {}, { accept: 'application/json' })
  expectError(reply, 405, 'method_not_allowed')
  expect(reply.headers.get('allow')).toBe('POST')
})

test('extension: a browser gets a page', async () => {
  const { url } = await make({ destination: freshNumber(), message: 'x' })
  const reply = await get(url, {}, { accept: 'text/html,*/*;q=0.8' })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^text\/html\b/)
  expectPrivate(reply)
})

test('extension: a secret URL respects the Do Not Text list', async () => {
  const destination = freshNumber()
  await block(at.api, destination)
  const reply = await get((await make()).url, { destination, message: 'x' })
  const message = await read(at.api, await accepted(reply))
  expect(message).toMatchObject({ status: 'B', source: 'url' })
})
