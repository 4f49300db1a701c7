import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { escapeHtml } from '../../../src/server/secret-url/secret-url-page.js'
import type { Store } from '../../../src/server/store/store.js'
import { type Caller, json, omitRequestId, request, signInCaller } from '../../conformance/calls.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { startRelay } from '../http/app-rig.js'

async function make(api: Caller, terms: object = {}): Promise<{ url: string; secret: string }> {
  const reply = await api.call('POST', '/url', json(terms))
  const { url } = JSON.parse(reply.text).url as { url: string }
  return { url, secret: url.split('/').at(-1) ?? '' }
}

async function startAt(settings: { baseUrl?: string } = {}) {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const dataDir = await temporaryFolder()
  const relay = await createRelay({ dataDir, port: 0, ...settings }, { now: () => clock.now })
  onTestFinished(async () => await relay.stop())
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  const api = await signInCaller(relay.url, account.secret_key, account.api_key)
  return { clock, relay, account, api }
}

test('wrong secret URLs are throttled; right ones and signing in are not', async () => {
  const { clock, relay, account, api } = await startAt()
  const { url } = await make(api, { destination: '5551212', message: 'x' })
  const guess = async (n: number) => await request(`${relay.url}/u/sru_${n}`, 'HEAD')
  for (let n = 0; n < 10; n += 1) expect((await guess(n)).status).toBe(404)
  for (const seconds of ['2', '4', '8']) {
    const slowed = await guess(10)
    expect(slowed.status).toBe(429)
    expect(slowed.headers.get('retry-after')).toBe(seconds)
    expect(slowed.headers.get('cache-control')).toBe('no-store')
  }
  expect((await request(url, 'GET')).status).toBe(200)
  await signInCaller(relay.url, account.secret_key, account.api_key)
  clock.now += 8000
  expect((await guess(11)).status).toBe(404)
  expect(relay.metrics()['auth_failures_total{kind="secret_url"}']).toBe(14)
})

test('an expired secret URL gets the same error as an unknown one', async () => {
  const { clock, relay, api } = await startAt()
  const { url } = await make(api, { destination: '5551212', message: 'x', expires_in: 60 })
  expect((await request(url, 'GET')).status).toBe(200)
  clock.now += 60_000
  const [ended, never] = [await request(url, 'GET'), await request(`${relay.url}/u/x`, 'GET')]
  expect([ended.status, omitRequestId(ended.text)]).toEqual([404, omitRequestId(never.text)])
  expect(JSON.parse((await api.get('/url')).text).urls[0].url.state).toBe('expired')
})

test('a secret URL begins with the public base URL', async () => {
  const { api } = await startAt({ baseUrl: 'https://sms.example.com/relay' })
  expect((await make(api)).url).toMatch(/^https:\/\/sms\.example\.com\/relay\/u\/sru_[\w-]{43}$/)
})

test('the content security policy of a page allows only its own style', async () => {
  const { api } = await startRelay()
  const page = await request((await make(api, { confirm: true })).url, 'GET')
  const style = /<style>(.*)<\/style>/s.exec(page.text)?.[1] ?? ''
  const policy = page.headers.get('content-security-policy')?.split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`)
  expect(page.headers.get('permissions-policy')).toMatch(/^(?:[a-z-]+=\(\)(?:, |$))+$/)
  expect(page.text.match(/style=|onclick=|<script|src=|href=/)).toBeNull()
})

test('the page asks for missing fields and for the fields of the template', async () => {
  const { api } = await startRelay()
  const { url } = await make(api, {
    confirm: true,
    destination: '5551212',
    message: '{who}: {message} {note|"-"}',
  })
  const { text } = await request(`${url}?who=me&other=x`, 'GET')
  const names = [...text.matchAll(/name="(\w+)"( required)?/g)].map(([, name, need]) => [
    name,
    need,
  ])
  expect(names.filter(([, need]) => need).flat()).toEqual([
    'who',
    ' required',
    'message',
    ' required',
  ])
  expect(names).toContainEqual(['note', undefined])
  expect(text).toContain('value="me"')
})

test.each(['/more', '/../u', '//', '?destination=%zz'])(
  'the error for a secret URL followed by %s does not contain the secret',
  async end => {
    const { relay, api } = await startRelay()
    const { url, secret } = await make(api)
    for (const address of [
      url + end,
      `${relay.url}/x/${secret}`,
      `${relay.url}/api/1/u/${secret}`,
    ]) {
      const { status, text } = await request(address, 'GET')
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain(secret)
    }
  },
)

test('a reported defect and its reply do not contain the secret', async () => {
  const broken = (store: Store): Store => {
    store.messages.changeAll = async () => {
      throw new Error('broken on purpose')
    }
    return store
  }
  const { api, defects } = await startRelay(broken)
  const { url, secret } = await make(api, { destination: '5551212', message: 'x' })
  const { status, text } = await request(url, 'GET')
  expect(status).toBe(500)
  expect(defects).toHaveLength(1)
  expect(`${text} ${String((defects[0] as Error).stack)}`).not.toContain(secret)
})

test('an escaped text has no markup and is unescaped to the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>"\'&;#x3a ') }), text => {
      const escaped = escapeHtml(text)
      expect(escaped).not.toMatch(/[<>"']/)
      const read = escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      expect(read).toBe(text)
    }),
  )
})
