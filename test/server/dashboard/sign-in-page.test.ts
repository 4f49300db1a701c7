import { expect, test } from 'vitest'
import { Browser, getHiddenField } from './browser.js'
import { annEmail, bobEmail, password, requestToken, startRelay } from './dashboard-relay.js'

const session = 'smsrelay_session'

async function getSignInCookies(
  url: string,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const response = await fetch(new URL('/login', url), {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ email: annEmail, password }),
  })
  return response.headers.getSetCookie()
}

test('GET / without a session leads to the sign-in form and then to the overview', async () => {
  const { url, defects } = await startRelay()
  const browser = new Browser(url)
  const form = await browser.get('/')
  expect(form.path).toBe('/login')
  expect(form.text).toContain('action="/login"')
  const overview = await browser.signIn(annEmail, password)
  expect(overview).toMatchObject({ status: 200, path: '/' })
  expect(overview.text).toContain(annEmail)
  expect(overview.headers.get('cache-control')).toBe('no-store')
  expect(defects).toEqual([])
})

test('the cookies of a session are HttpOnly, over TLS Secure and limited to the host', async () => {
  const { url } = await startRelay()
  expect(await getSignInCookies(url)).toEqual([
    expect.stringMatching(/^smsrelay_session=srt_[\w-]+; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  const proxied = await startRelay({ trustProxy: true })
  const [cookie] = await getSignInCookies(proxied.url, { 'X-Forwarded-Proto': 'https' })
  expect(cookie).toMatch(
    /^__Host-smsrelay_session=srt_[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const publicRelay = await startRelay({ baseUrl: 'https://sms.example.com' })
  expect((await getSignInCookies(publicRelay.url))[0]).toMatch(/^__Host-.*; Secure$/)
})

test('X-Forwarded-Proto is ignored unless the proxy is trusted', async () => {
  const { url } = await startRelay()
  const [cookie] = await getSignInCookies(url, { 'X-Forwarded-Proto': 'https' })
  expect(cookie).not.toContain('Secure')
})

test('HSTS is sent over TLS only', async () => {
  const plain = await startRelay()
  const secure = await startRelay({ baseUrl: 'https://sms.example.com' })
  const getHsts = async (url: string) =>
    (await new Browser(url).get('/login')).headers.get('strict-transport-security')
  expect(await getHsts(plain.url)).toBeNull()
  expect(await getHsts(secure.url)).toContain('max-age=31536000')
})

test('signing in starts a new session and ends a session that an attacker planted', async () => {
  const { url, administration, openBrowser } = await startRelay()
  await administration.createAccount({ email: bobEmail, password })
  const attacker = await openBrowser(bobEmail)
  const planted = attacker.cookies.get(session) ?? ''
  const victim = new Browser(url)
  victim.cookies.set(session, planted)
  expect((await victim.signIn(annEmail, password)).text).toContain(annEmail)
  expect(victim.cookies.get(session)).not.toBe(planted)
  expect((await attacker.get('/')).path).toBe('/login')
})

test('an unknown session token is replaced when the person signs in', async () => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  browser.cookies.set(session, 'srt_chosen')
  expect((await browser.get('/')).path).toBe('/login')
  await browser.signIn(annEmail, password)
  expect(browser.cookies.get(session)).not.toBe('srt_chosen')
})

test('a token of the API is not a session, and keys do not sign in', async () => {
  const { url, ann } = await startRelay()
  const credentials = Buffer.from(`${ann.secret_key}:${ann.api_key}`).toString('base64')
  const headers = { Authorization: `Basic ${credentials}` }
  const issued = await (await fetch(`${url}/oauth`, { headers })).json()
  const browser = new Browser(url)
  browser.cookies.set(session, (issued as { access_token: string }).access_token)
  expect((await browser.get('/')).path).toBe('/login')
  expect((await browser.signIn(ann.secret_key, ann.api_key)).status).toBe(403)
})

test('signing out revokes the session', async () => {
  const { openBrowser } = await startRelay()
  const browser = await openBrowser()
  const token = browser.cookies.get(session) ?? ''
  expect((await browser.submit('/logout')).path).toBe('/login')
  expect(browser.cookies.has(session)).toBe(false)
  browser.cookies.set(session, token)
  expect((await browser.get('/')).path).toBe('/login')
})

test('a session and a token of the API do not stand for each other', async () => {
  const { openBrowser, url } = await startRelay()
  const browser = await openBrowser()
  const token = browser.cookies.get(session) ?? ''
  const bearer = async (value: string) => {
    const headers = { Authorization: `Bearer ${value}` }
    return (await fetch(`${url}/api/1/user`, { headers })).status
  }
  expect(await bearer(token)).toBe(401)
  const credentials = Buffer.from(`${annEmail}:${password}`).toString('base64')
  const issued = await fetch(`${url}/oauth`, { headers: { Authorization: `Basic ${credentials}` } })
  const { access_token: login } = (await issued.json()) as { access_token: string }
  expect(await bearer(login)).toBe(200)
  browser.cookies.set(session, login)
  expect((await browser.get('/')).path).toBe('/login')
})

test('an unknown address and a wrong password get the same error in the form', async () => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  const wrong = await browser.signIn(annEmail, 'wrong')
  expect(wrong.status).toBe(403)
  expect(wrong.headers.get('www-authenticate')).toBeNull()
  expect(wrong.notice?.kind).toBe('failed')
  const unknown = await browser.signIn('nobody@example.com', 'wrong')
  expect(unknown.notice).toEqual(wrong.notice)
})

test('failed sign-ins at the form and at GET /oauth are throttled together', async () => {
  const { url } = await startRelay({}, { now: () => 1_800_000_000_000 })
  const browser = new Browser(url)
  for (let tries = 0; tries < 9; tries += 1)
    expect((await browser.signIn(annEmail, `wrong ${tries}`)).status).toBe(403)
  expect(await requestToken(url, annEmail, 'wrong')).toBe(401)
  const throttled = await browser.signIn(annEmail, password)
  expect(throttled.status).toBe(429)
  expect(throttled.headers.get('retry-after')).toBe('1')
  expect(throttled.notice?.text).toContain('1 s')
})

test('failed sign-ins at one account do not delay another from the same address', async () => {
  const { administration, url } = await startRelay({}, { now: () => 1_800_000_000_000 })
  const bob = await administration.createAccount({ email: 'bob@example.com', password })
  const browser = new Browser(url)
  for (let tries = 0; tries < 12; tries += 1) await browser.signIn(annEmail, `wrong ${tries}`)
  expect((await browser.signIn(annEmail, password)).status).toBe(429)
  expect(await requestToken(url, bob.email, password)).toBe(200)
  expect(await requestToken(url, bob.secret_key, bob.api_key)).toBe(200)
})

test.each([
  ['/messages?filter=all', '/messages?filter=all'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/..//evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
])('signing in with next=%s redirects to %s', async (next, to) => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  const form = await browser.get(`/login?next=${encodeURIComponent(next)}`)
  expect(getHiddenField(form.text, 'next')).toBe(to)
  const fields = { email: annEmail, password, next }
  const reply = await browser.post('/login', fields, { follow: false })
  expect(reply.headers.get('location')).toBe(to)
})
