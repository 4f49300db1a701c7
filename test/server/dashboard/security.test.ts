import { expect, test } from 'vitest'
import { listFormRoutes } from '../../../tools/browser/dashboard-routes.js'
import { Browser, getHiddenField } from './browser.js'
import { annEmail, openPhone, password, startRelay, startWithBrowsers } from './dashboard-relay.js'
import { allPayloads, expectNoMarkup } from './payloads.js'

const number = '+12025550123'

async function start(settings = {}) {
  const relay = await startRelay(settings)
  const browser = await relay.openBrowser()
  const createForm = async (fields: Record<string, string> = {}) => {
    const key = getHiddenField((await browser.get('/send')).text, 'key')
    return { key, destination: number, message: 'Hello', send_on: '', zone: 'UTC', ...fields }
  }
  return { ...relay, browser, createForm }
}

test('no payload in any field of a message becomes markup', async () => {
  const { browser, url, ann, createForm } = await start()
  const form = await createForm({ message: allPayloads })
  const sent = await browser.submit('/send', form)
  expect(sent.text).toContain('&lt;script>alert(1)&lt;/script>')
  const payload = encodeURIComponent(allPayloads)
  const pages = [
    sent,
    await browser.get('/messages'),
    await browser.get(`${sent.path}/edit`),
    await browser.get(`/send?again=${sent.path.split('/').at(-1)}`),
    await browser.get(`/messages?q=${payload}`),
    await browser.get(`/messages?filter=${payload}`),
    await browser.get(`/messages/${payload}`),
    await browser.get(`/${payload}`),
    await browser.submit('/send', { ...form, destination: allPayloads }),
    await browser.submit('/send', { ...form, send_on: allPayloads, zone: allPayloads }),
  ]
  for (const { text } of pages) expectNoMarkup(text)
  const phone = openPhone(url, ann)
  const { id = '' } = (await phone.messages.next()) ?? {}
  await phone.messages.reportFailure(id, { error_message: allPayloads })
  const failed = await browser.get(sent.path)
  expect(failed.text).toContain('&lt;img src=x')
  expectNoMarkup(failed.text)
})

test('no payload in the sign-in form becomes markup', async () => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  const fields = { email: `${allPayloads}@example.com`, password: allPayloads, next: allPayloads }
  expectNoMarkup((await browser.post('/login', fields)).text)
  expectNoMarkup((await browser.get(`/login?next=/${encodeURIComponent(allPayloads)}`)).text)
})

test('a text with HTML entities is not changed by the form', async () => {
  const { browser, createForm } = await start()
  const form = await createForm({ message: '&amp; &lt;b&gt; &#39;' })
  const { path } = await browser.submit('/send', form)
  const shown = /<textarea[^>]*>\n([^<]*)</.exec((await browser.get(`${path}/edit`)).text)?.[1]
  expect(shown).toBe('&amp;amp; &amp;lt;b&amp;gt; &amp;#39;')
})

test('no form works from another site, or without a session and its CSRF token', async () => {
  const { browser, bobBrowser, defects, url } = await startWithBrowsers()
  const csrf = getHiddenField((await browser.get('/')).text, 'csrf')
  const foreign = getHiddenField((await bobBrowser.get('/')).text, 'csrf')
  const forms = [...listFormRoutes(), '/logout']
  const replies = await Promise.all(
    forms.map(async route => {
      const path = route.replace(/:\w+/g, 'x')
      const headers = { 'Sec-Fetch-Site': 'cross-site' }
      const crossSite = await browser.post(path, { csrf }, { headers })
      const forged = await browser.post(path, { csrf: foreign })
      const missing = await browser.post(path, {})
      const stranger = await new Browser(url).post(path, {})
      return `${route}: ${crossSite.status} ${forged.status} ${missing.status} ${stranger.path}`
    }),
  )
  expect(replies).toEqual(forms.map(route => `${route}: 403 403 403 /login`))
  expect(forms).toContain('/settings/people/invitations/:id/revoke')
  expect(defects).toEqual([])
})

test('the script sends the CSRF token in a header', async () => {
  const { browser } = await start()
  const { text } = await browser.get('/send')
  const token = /data-csrf="([\w-]+)"/.exec(text)?.[1] ?? ''
  const requestLength = async (csrf: string) => {
    const headers = { 'X-CSRF-Token': csrf }
    return (await browser.post('/send/length', { message: 'Hello' }, { headers })).status
  }
  expect(await requestLength(token)).toBe(200)
  expect(await requestLength('x')).toBe(403)
})

test('the CSRF token does not reveal the session', async () => {
  const { browser } = await start()
  const { text } = await browser.get('/')
  expect(getHiddenField(text, 'csrf')).toMatch(/^[\w-]{86}$/)
  expect(text).not.toContain(browser.cookies.get('smsrelay_session'))
})

test.each([
  [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
  [{ 'Sec-Fetch-Site': 'same-site' }, 403],
  [{ Origin: 'https://evil.example' }, 403],
  [{ Origin: 'null' }, 403],
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://sms.example.com' }, 303],
  [{ 'Sec-Fetch-Site': 'same-origin' }, 303],
  [{}, 303],
] as const)('sign-out and sign-in with the headers %j answer %i', async (headers, status) => {
  const { browser, url } = await start()
  const csrf = getHiddenField((await browser.get('/')).text, 'csrf')
  const signedOut = await browser.post('/logout', { csrf }, { headers, follow: false })
  expect(signedOut.status).toBe(status)
  const form = { email: annEmail, password }
  const signedIn = await new Browser(url).post('/login', form, { headers, follow: false })
  expect(signedIn.status).toBe(status)
})

test('forms of the same host or of the base URL are accepted', async () => {
  const { url } = await startRelay({ baseUrl: 'https://sms.example.com' })
  for (const Origin of [url, 'https://sms.example.com']) {
    const form = { email: annEmail, password }
    const options = { headers: { Origin }, follow: false }
    expect((await new Browser(url).post('/login', form, options)).status).toBe(303)
  }
})

test('every page has the security headers', async () => {
  const { browser } = await start()
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
    const permissions = (headers.get('permissions-policy') ?? '').split(', ')
    expect(permissions.filter(each => !each.endsWith('=()'))).toEqual([
      'clipboard-write=(self)',
      'publickey-credentials-create=(self)',
      'publickey-credentials-get=(self)',
    ])
    expect(permissions).toEqual(expect.arrayContaining(['camera=()', 'clipboard-read=()']))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-powered-by')).toBeNull()
  }
})

test('scripts and styles are cacheable and served without a session', async () => {
  const { url } = await startRelay()
  const { text } = await new Browser(url).get('/login')
  const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(match => match[1] ?? '')
  expect(paths.map(path => path.split('/').at(-1))).toEqual([
    'icon.svg',
    'design.css',
    'morph.js',
    'dashboard.js',
    'send-forms.js',
  ])
  for (const path of paths) {
    const reply = await fetch(new URL(path, url))
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const etag = reply.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{12}"$/)
    const again = await fetch(new URL(path, url), { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
  }
  expect((await fetch(`${url}/assets/x/morph.js`)).status).toBe(404)
  // The page of a node with another version.
  const other = await fetch(`${url}/assets/${'x'.repeat(12)}/morph.js`)
  expect(other.status).toBe(200)
  expect(other.headers.get('cache-control')).toBe('no-cache')
  expect((await fetch(`${url}/assets/x/..%2F..%2Fpackage.json`)).status).toBe(404)
})

test('an update of an open page is redirected to sign in if the session has ended', async () => {
  const { url } = await startRelay()
  const headers = { 'X-Page-Version': 'x' }
  const reply = await new Browser(url).get('/messages', { headers, follow: false })
  expect(reply.headers.get('location')).toBe('/login?next=%2Fmessages')
  expect(reply.text).toBe('')
})

test('errors are pages for browsers, and JSON for other clients and below /api', async () => {
  const { browser, url } = await start()
  const page = await browser.get('/nothing')
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const json = await fetch(`${url}/nothing`)
  expect(await json.json()).toMatchObject({ error: 'not_found' })
  const api = await fetch(`${url}/api/1/message`, { headers: { Accept: 'text/html' } })
  expect(await api.json()).toMatchObject({ error: 'invalid_token' })
  const missing = await fetch(`${url}/api/1/nothing`, { headers: { Accept: 'text/html' } })
  expect(await missing.json()).toMatchObject({ error: 'not_found' })
})

test('GET on a path for forms answers 405 and changes nothing', async () => {
  const { browser } = await start()
  const reply = await browser.get('/logout')
  expect(reply.status).toBe(405)
  expect(reply.headers.get('allow')).toBe('POST')
  expect((await browser.get('/')).path).toBe('/')
})

test('a flash message with an invalid signature is not shown', async () => {
  const { browser } = await start()
  const payload = Buffer.from('{"kind":"done","text":"Call this number"}').toString('base64url')
  for (const value of [payload, `${payload}.x`, 'x', '.', '%']) {
    browser.cookies.set('smsrelay_flash', value)
    const page = await browser.get('/')
    expect(page.status).toBe(200)
    expect(page.notice).toBeUndefined()
  }
})
