import { expect, test } from 'vitest'
import { createClockAt } from '../../util/async/fake-clock.js'
import { Browser, getHiddenField, password, startRelay } from './browser.js'

const session = 'smsrelay_session'

async function cookiesOf(url: string, headers: Record<string, string> = {}): Promise<string[]> {
  const response = await fetch(new URL('/login', url), {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ email: 'ann@example.com', password }),
  })
  return response.headers.getSetCookie()
}

test('GET / without a session leads to the form, and from there to the overview', async () => {
  const { url, defects } = await startRelay()
  const browser = new Browser(url)
  const form = await browser.get('/')
  expect(form.path).toBe('/login')
  expect(form.text).toContain('<h1>Sign in</h1>')
  const first = await browser.signIn()
  expect(first).toMatchObject({ status: 200, path: '/' })
  expect(first.text).toContain('ann@example.com')
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(defects).toEqual([])
})

test('the session is an HttpOnly cookie, over TLS a Secure one of this host alone', async () => {
  const { url } = await startRelay()
  expect(await cookiesOf(url)).toEqual([
    expect.stringMatching(/^smsrelay_session=srt_[\w-]+; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  const behind = await startRelay({ trustProxy: true })
  const [cookie] = await cookiesOf(behind.url, { 'X-Forwarded-Proto': 'https' })
  expect(cookie).toMatch(
    /^__Host-smsrelay_session=srt_[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const listed = await startRelay({ baseUrl: 'https://sms.example.com' })
  expect((await cookiesOf(listed.url))[0]).toMatch(/^__Host-.*; Secure$/)
})

test('X-Forwarded-Proto counts only from a trusted proxy', async () => {
  const { url } = await startRelay()
  expect((await cookiesOf(url, { 'X-Forwarded-Proto': 'https' }))[0]).not.toContain('Secure')
})

test('HSTS is sent over TLS only', async () => {
  const plain = await startRelay()
  const secure = await startRelay({ baseUrl: 'https://sms.example.com' })
  const header = async (url: string) =>
    (await new Browser(url).get('/login')).headers.get('strict-transport-security')
  expect(await header(plain.url)).toBeNull()
  expect(await header(secure.url)).toContain('max-age=31536000')
})

test('signing in gives a new session and ends the one that was there, whoever put it there', async () => {
  const { url, relay } = await startRelay()
  await relay.administration.createAccount({ email: 'bob@example.com', password })
  const attacker = new Browser(url)
  await attacker.signIn('bob@example.com')
  const planted = attacker.cookies.get(session) ?? ''
  const victim = new Browser(url)
  victim.cookies.set(session, planted)
  expect((await victim.signIn()).text).toContain('ann@example.com')
  expect(victim.cookies.get(session)).not.toBe(planted)
  expect((await attacker.get('/')).path).toBe('/login')
})

test('a session that somebody made up is not taken over', async () => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  browser.cookies.set(session, 'srt_chosen')
  expect((await browser.get('/')).path).toBe('/login')
  await browser.signIn()
  expect(browser.cookies.get(session)).not.toBe('srt_chosen')
})

test('only a User Login token is a session', async () => {
  const { url, ann } = await startRelay()
  const credentials = Buffer.from(`${ann.secret_key}:${ann.api_key}`).toString('base64')
  const headers = { Authorization: `Basic ${credentials}` }
  const issued = (await (await fetch(`${url}/oauth`, { headers })).json()) as {
    access_token: string
  }
  const browser = new Browser(url)
  browser.cookies.set(session, issued.access_token)
  expect((await browser.get('/')).path).toBe('/login')
  const keys = await browser.post('/login', { email: ann.secret_key, password: ann.api_key })
  expect(keys.status).toBe(403)
})

test('signing out ends the session for good', async () => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  await browser.signIn()
  const token = browser.cookies.get(session) ?? ''
  expect((await browser.submit('/logout')).path).toBe('/login')
  expect(browser.cookies.has(session)).toBe(false)
  browser.cookies.set(session, token)
  expect((await browser.get('/')).path).toBe('/login')
})

test('a page that is left open does not keep the session, one that somebody loads does', async () => {
  let now = Date.UTC(2030, 0)
  const { url } = await startRelay({ tokenLifetime: 3600 }, { clock: createClockAt(() => now) })
  const browser = new Browser(url)
  await browser.signIn()
  const byItself = { headers: { 'HX-Request': 'true' } }
  for (let minutes = 0; minutes < 50; minutes += 10) {
    now += 10 * 60_000
    expect((await browser.get('/messages', byItself)).text).toContain('There are no')
  }
  expect((await browser.get('/messages')).path).toBe('/messages')
  now += 50 * 60_000
  expect((await browser.get('/messages', byItself)).text).toContain('There are no')
  now += 20 * 60_000
  expect((await browser.get('/messages')).path).toBe('/login?next=%2Fmessages')
})

test('a wrong password is told in words, and no browser asks for another by itself', async () => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  const refused = await browser.signIn('ann@example.com', 'wrong')
  expect(refused.status).toBe(403)
  expect(refused.headers.get('www-authenticate')).toBeNull()
  expect(refused.text).toContain('The e-mail address or the password is wrong.')
  const unknown = await browser.signIn('nobody@example.com', 'wrong')
  expect(unknown.text).toContain('The e-mail address or the password is wrong.')
})

test('guessing is slowed down, for the form and GET /oauth together', async () => {
  const { url } = await startRelay({}, { clock: createClockAt(() => 1_800_000_000_000) })
  const browser = new Browser(url)
  for (let tries = 0; tries < 9; tries += 1) {
    expect((await browser.signIn('ann@example.com', `wrong ${tries}`)).status).toBe(403)
  }
  const credentials = Buffer.from('ann@example.com:wrong').toString('base64')
  const headers = { Authorization: `Basic ${credentials}` }
  expect((await fetch(`${url}/oauth`, { headers })).status).toBe(401)
  const slowed = await browser.signIn()
  expect(slowed.status).toBe(429)
  expect(slowed.headers.get('retry-after')).toBe('1')
  expect(slowed.text).toContain('try again in 1 s')
})

test('after signing in, next leads to a page of the dashboard and nowhere else', async () => {
  const { url } = await startRelay()
  const asked = [
    ['/messages?filter=all', '/messages?filter=all'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/..//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
  ] as const
  for (const [next, to] of asked) {
    const browser = new Browser(url)
    const form = await browser.get(`/login?next=${encodeURIComponent(next)}`)
    expect(getHiddenField(form.text, 'next'), next).toBe(to)
    const posted = { email: 'ann@example.com', password, next }
    const sent = await browser.post('/login', posted, { follow: false })
    expect(sent.headers.get('location'), next).toBe(to)
  }
})
