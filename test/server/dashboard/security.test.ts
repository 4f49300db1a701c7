import { expect, test } from 'vitest'
import { Browser, getHiddenField, password, startRelay } from './browser.js'
import { allPayloads, expectNoMarkup } from './hostile.js'

const number = '+12025550123'

async function signedIn(email = 'ann@example.com') {
  const world = await startRelay()
  const browser = new Browser(world.url)
  await browser.signIn(email)
  return { ...world, browser }
}

test('no payload in any field becomes markup, on any page', async () => {
  const { browser, url, ann } = await signedIn()
  const key = getHiddenField((await browser.get('/send')).text, 'key')
  const form = { key, destination: number, message: allPayloads, send_on: '', zone: 'UTC' }
  const sent = await browser.submit('/send', form)
  expect(sent.text).toContain('&lt;script>alert(1)&lt;/script>')
  const bodies = [
    sent,
    await browser.get('/messages'),
    await browser.get(`${sent.path}/edit`),
    await browser.get(`/send?again=${sent.path.split('/').at(-1)}`),
    await browser.get(`/messages?q=${encodeURIComponent(allPayloads)}`),
    await browser.get(`/messages?filter=${encodeURIComponent(allPayloads)}`),
    await browser.get(`/messages/${encodeURIComponent(allPayloads)}`),
    await browser.get(`/${encodeURIComponent(allPayloads)}`),
    await browser.submit('/send', { ...form, destination: allPayloads }),
    await browser.submit('/send', { ...form, send_on: allPayloads, zone: allPayloads }),
  ]
  for (const { text } of bodies) expectNoMarkup(text)
  await fail(url, ann, allPayloads)
  const failed = await browser.get(sent.path)
  expect(failed.text).toContain('It said: &lt;script>')
  expectNoMarkup(failed.text)
})

test('no payload in the sign-in form becomes markup', async () => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  const email = `${allPayloads}@example.com`
  expectNoMarkup(
    (await browser.post('/login', { email, password: allPayloads, next: allPayloads })).text,
  )
  expectNoMarkup((await browser.get(`/login?next=/${encodeURIComponent(allPayloads)}`)).text)
})

test('an e-mail address that is markup is shown as it is', async () => {
  const { relay, url } = await startRelay()
  const email = '"><script>alert(1)</script>@example.com'
  await relay.administration.createAccount({ email, password })
  const browser = new Browser(url)
  const { text } = await browser.signIn(email)
  expect(text).toContain('&lt;script>alert(1)&lt;/script>@example.com')
  expectNoMarkup(text)
})

test('a text that looks escaped comes out of the form as it went in', async () => {
  const { browser } = await signedIn()
  const key = getHiddenField((await browser.get('/send')).text, 'key')
  const message = '&amp; &lt;b&gt; &#39;'
  const form = { key, destination: number, message, send_on: '', zone: 'UTC' }
  const { path } = await browser.submit('/send', form)
  const shown = /<textarea[^>]*>\n([^<]*)</.exec((await browser.get(`${path}/edit`)).text)?.[1]
  expect(shown).toBe('&amp;amp; &amp;lt;b&amp;gt; &amp;#39;')
})

test('a form without the token of this session changes nothing', async () => {
  const { browser, url, relay, defects } = await signedIn()
  await relay.administration.createAccount({ email: 'bob@example.com', password })
  const bob = new Browser(url)
  await bob.signIn('bob@example.com')
  const key = getHiddenField((await browser.get('/send')).text, 'key')
  const form = { key, destination: number, message: 'Forged', send_on: '', zone: 'UTC' }
  const foreign = getHiddenField((await bob.get('/')).text, 'csrf')
  const tokens: Record<string, string>[] = [{}, { csrf: '' }, { csrf: 'x' }, { csrf: foreign }]
  for (const csrf of tokens) {
    for (const path of ['/send', '/logout', '/send/length', '/messages/x/delete']) {
      const seen = await browser.post(path, { ...form, ...csrf })
      expect(seen.status).toBe(403)
      expect(seen.text).toContain('belongs to another session')
    }
  }
  expect((await browser.get('/messages')).text).toContain('There are no such messages.')
  expect(defects).toEqual([])
})

test('htmx sends the token of the page in a header', async () => {
  const { browser } = await signedIn()
  const { text } = await browser.get('/send')
  const token = /hx-headers="{&#34;X-CSRF-Token&#34;:&#34;([\w-]+)&#34;}"/.exec(text)?.[1] ?? ''
  const length = async (header: string) => {
    const headers = { 'X-CSRF-Token': header, 'HX-Request': 'true' }
    return (await browser.post('/send/length', { message: 'Hello' }, { headers })).status
  }
  expect(await length(token)).toBe(200)
  expect(await length('x')).toBe(403)
})

test('the token of forms tells nothing of the session', async () => {
  const { browser } = await signedIn()
  const token = browser.cookies.get('smsrelay_session') ?? 'none'
  const { text } = await browser.get('/')
  expect(getHiddenField(text, 'csrf')).toMatch(/^[\w-]{43}$/)
  expect(text).not.toContain(token)
})

const bySender = [
  [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
  [{ 'Sec-Fetch-Site': 'same-site' }, 403],
  [{ Origin: 'https://evil.example' }, 403],
  [{ Origin: 'null' }, 403],
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://sms.example.com' }, 303],
  [{ 'Sec-Fetch-Site': 'same-origin' }, 303],
  [{}, 303],
] as const

test('a form from another site is refused, that of signing in too', async () => {
  const { browser, url } = await signedIn()
  for (const [headers, status] of bySender) {
    const what = JSON.stringify(headers)
    const csrf = getHiddenField((await browser.get('/')).text, 'csrf')
    const out = await browser.post('/logout', { csrf }, { headers, follow: false })
    expect(out.status, what).toBe(status)
    const form = { email: 'ann@example.com', password }
    const other = new Browser(url)
    expect((await other.post('/login', form, { headers, follow: false })).status, what).toBe(status)
    await browser.signIn()
  }
})

test('the origin of the service itself may send forms, by its host or its base URL', async () => {
  const { url } = await startRelay({ baseUrl: 'https://sms.example.com' })
  for (const Origin of [url, 'https://sms.example.com']) {
    const form = { email: 'ann@example.com', password }
    const headers = { Origin }
    const seen = await new Browser(url).post('/login', form, { headers, follow: false })
    expect(seen.status).toBe(303)
  }
})

test('every page has every header that keeps it to itself', async () => {
  const { browser } = await signedIn()
  for (const path of ['/', '/login', '/send', '/messages', '/messages/x', '/nothing']) {
    const { headers } = await browser.get(path, { follow: false })
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split(';').sort(), path).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ])
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-powered-by')).toBeNull()
  }
})

test('pages have no inline style and no inline script', async () => {
  const { browser } = await signedIn()
  for (const path of ['/', '/send', '/messages']) {
    const { text } = await browser.get(path)
    expect(text).not.toMatch(/<style|\sstyle=|<script>|\son[a-z]+=|hx-on|javascript:/)
    expect(text).toContain('&#34;allowEval&#34;:false')
    expect(text).toContain('&#34;includeIndicatorStyles&#34;:false')
  }
})

test('what pages load may be cached for ever, and is there without a session', async () => {
  const { url } = await startRelay()
  const { text } = await new Browser(url).get('/login')
  const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(match => match[1] ?? '')
  expect(paths.map(path => path.split('/').at(-1))).toEqual([
    'icon.svg',
    'pico.css',
    'dashboard.css',
    'htmx.js',
    'dashboard.js',
  ])
  for (const path of paths) {
    const plain = await fetch(new URL(path, url), { headers: { 'Accept-Encoding': 'identity' } })
    const zipped = await fetch(new URL(path, url))
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(await zipped.text()).toBe(await plain.text())
  }
  expect((await fetch(`${url}/assets/x/htmx.js`)).status).toBe(404)
  expect((await fetch(`${url}/assets/x/..%2F..%2Fpackage.json`)).status).toBe(404)
})

test('htmx is led to the sign-in form when the session has ended', async () => {
  const { url } = await startRelay()
  const headers = { 'HX-Request': 'true', 'HX-Current-URL': `${url}/messages` }
  const seen = await new Browser(url).get('/messages?seen=x', { headers })
  expect(seen.headers.get('hx-redirect')).toBe('/login?next=%2Fmessages')
  expect(seen.text).toBe('')
})

test('errors are pages for browsers, and JSON for everyone else and under /api', async () => {
  const { browser, url } = await signedIn()
  const page = await browser.get('/nothing')
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const json = await fetch(`${url}/nothing`)
  expect(await json.json()).toMatchObject({ error: 'not_found' })
  const api = await fetch(`${url}/api/1/message`, { headers: { Accept: 'text/html' } })
  expect(await api.json()).toMatchObject({ error: 'invalid_token' })
  const none = await fetch(`${url}/api/1/nothing`, { headers: { Accept: 'text/html' } })
  expect(await none.json()).toMatchObject({ error: 'not_found' })
})

test('GET changes nothing where a form is wanted', async () => {
  const { browser } = await signedIn()
  const seen = await browser.get('/logout')
  expect(seen.status).toBe(405)
  expect(seen.headers.get('allow')).toBe('POST')
  expect((await browser.get('/')).path).toBe('/')
})

test('a flash that was not made by this session is not shown', async () => {
  const { browser } = await signedIn()
  const payload = Buffer.from('{"kind":"done","text":"Call this number"}').toString('base64url')
  for (const value of [payload, `${payload}.x`, 'x', '.', '%']) {
    browser.cookies.set('smsrelay_flash', value)
    const seen = await browser.get('/')
    expect(seen.status).toBe(200)
    expect(seen.text).not.toContain('Call this number')
  }
})

/** Has a phone take the one message and report that it failed, with these words. */
async function fail(
  url: string,
  keys: { secret_key: string; app_key: string },
  error_message: string,
): Promise<void> {
  const basic = Buffer.from(`${keys.secret_key}:${keys.app_key}`).toString('base64')
  const issued = await fetch(`${url}/oauth`, { headers: { Authorization: `Basic ${basic}` } })
  const { access_token } = (await issued.json()) as { access_token: string }
  const headers = { Authorization: `Bearer ${access_token}` }
  const taken = await fetch(`${url}/api/1/message/next`, { headers })
  const { message } = (await taken.json()) as { message: { id: string } }
  const body = new URLSearchParams({ error_message })
  await fetch(`${url}/api/1/message/${message.id}/failure`, { method: 'PUT', headers, body })
}
