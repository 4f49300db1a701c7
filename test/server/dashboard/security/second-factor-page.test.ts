import { expect, test } from 'vitest'
import { Browser, getHiddenField, getShownSecret } from '../browser.js'
import { annEmail, password, startRelay } from '../dashboard-relay.js'
import {
  authenticatorPath,
  enterPassword,
  readRecoveryCodes,
  setUpApp,
  signInWithCode,
} from './second-factor.js'

const step = 30_000
const security = '/settings/security'

/** Ann has set up an authenticator app. */
async function start() {
  let time = Date.UTC(2030, 0)
  const now = () => time
  const relay = await startRelay({}, { now })
  const browser = await relay.openBrowser()
  const other = await relay.openBrowser()
  const factor = await setUpApp(browser, now)
  const advance = (milliseconds: number) => {
    time += milliseconds
  }
  advance(2 * step)
  return { ...relay, ...factor, browser, other, advance, now }
}

async function requestToken(url: string, code?: string): Promise<Response> {
  const Authorization = `Basic ${Buffer.from(`${annEmail}:${password}`).toString('base64')}`
  const headers = { Authorization, ...(code === undefined ? {} : { 'X-Sign-In-Code': code }) }
  return await fetch(`${url}/oauth`, { headers })
}

test('an authenticator app is set up with its code and the password', async () => {
  const { openBrowser } = await startRelay()
  const browser = await openBrowser()
  const page = await browser.get(authenticatorPath)
  const secret = getHiddenField(page.text, 'secret')
  expect(page.text).toContain('<svg class="qr"')
  expect(getShownSecret(page.text, 'totp-key').toLowerCase()).toBe(secret.slice(0, 4))
  const wrong = await browser.submit(authenticatorPath, { secret, app_code: '12345x', password })
  expect(wrong.status).toBe(400)
  expect(wrong.errors.app_code).toContain('not the code')
  expect(getHiddenField(wrong.text, 'secret')).toBe(secret)
  expect((await browser.get(security)).text).toContain('Off')
  const { recoveryCodes } = await setUpApp(browser, Date.now)
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}-[a-z2-7]{5}$/)
  const on = await browser.get(security)
  expect(on.text).toContain('10 left')
  expect(on.text).not.toContain(secret)
})

test('somebody without the password cannot set up an authenticator app', async () => {
  const { openBrowser, url } = await startRelay()
  const browser = await openBrowser()
  const secret = getHiddenField((await browser.get(authenticatorPath)).text, 'secret')
  const form = { secret, app_code: '000000', password: 'wrong' }
  expect(await browser.submit(authenticatorPath, form)).toMatchObject({ status: 403 })
  expect((await new Browser(url).signIn(annEmail, password)).path).toBe('/')
})

test('a sign-in then needs a code of the app, and each code works once', async () => {
  const { url, app, other, advance } = await start()
  // The session that was started with the password alone has ended.
  expect((await other.get('/')).path).toBe('/login')
  const browser = await enterPassword(url)
  expect((await browser.get('/')).path).toBe('/login')
  const wrong = await browser.post('/login/code', { code: '000000' })
  expect(wrong).toMatchObject({ status: 403, path: '/login/code' })
  const code = app.code()
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
  expect((await browser.post('/login/code', { code: spaced })).path).toBe('/')
  expect(await signInWithCode(url, code)).toMatchObject({ status: 403 })
  advance(step)
  expect((await signInWithCode(url, app.code())).path).toBe('/')
})

test('a code of the step before or after is accepted, one further away is not', async () => {
  const { url, app, advance } = await start()
  const [early] = [app.code()]
  advance(step)
  expect((await signInWithCode(url, early)).path).toBe('/')
  advance(3 * step)
  const late = app.code()
  advance(-step)
  expect((await signInWithCode(url, late)).path).toBe('/')
  advance(2 * step)
  const old = app.code()
  advance(2 * step)
  expect((await signInWithCode(url, old)).status).toBe(403)
})

test('a recovery code signs in once, in any spelling', async () => {
  const { url, recoveryCodes, browser } = await start()
  const [code = ''] = recoveryCodes
  expect((await signInWithCode(url, code.toUpperCase().replaceAll('-', ' '))).path).toBe('/')
  expect((await signInWithCode(url, code)).status).toBe(403)
  expect((await browser.get(security)).text).toContain('9 left')
})

test('new recovery codes replace the old ones', async () => {
  const { url, recoveryCodes, browser, app } = await start()
  const path = `${security}/recovery-codes`
  const was = getHiddenField((await browser.get(path)).text, 'was')
  const shown = await browser.submit(path, { was, password, code: app.code() })
  const [code = ''] = readRecoveryCodes(shown)
  expect((await signInWithCode(url, recoveryCodes[0] ?? '')).status).toBe(403)
  expect((await signInWithCode(url, code)).path).toBe('/')
})

test('a sign-in belongs to its browser, and ends with a session or a new password', async () => {
  const { url, app, advance, administration } = await start()
  const browser = await enterPassword(url)
  const cookies = new Map(browser.cookies)
  const stranger = new Browser(url)
  expect((await stranger.post('/login/code', { code: app.code() })).path).toBe('/login')
  expect((await browser.post('/login/code', { code: app.code() })).path).toBe('/')
  advance(step)
  for (const [name, value] of cookies) stranger.cookies.set(name, value)
  expect((await stranger.post('/login/code', { code: app.code() })).path).toBe('/login')

  const late = await enterPassword(url)
  advance(10 * 60_000)
  expect((await late.post('/login/code', { code: app.code() })).path).toBe('/login')

  const begun = await enterPassword(url)
  await administration.setPassword(annEmail, 'another good password')
  expect((await begun.post('/login/code', { code: app.code() })).path).toBe('/login')
})

test('the second step leads to the page that was asked for, and to no other site', async () => {
  const { url, recoveryCodes } = await start()
  const targets = { '/messages?filter=all': '/messages?filter=all', '//evil.example': '/' }
  for (const [at, [next, to]] of Object.entries(targets).entries()) {
    const browser = new Browser(url)
    const page = await browser.post('/login', { email: annEmail, password, next })
    expect(getHiddenField(page.text, 'next')).toBe(to)
    const form = { code: recoveryCodes[at] ?? '', next }
    const reply = await browser.post('/login/code', form, { follow: false })
    expect(reply.headers.get('location')).toBe(to)
  }
})

test('wrong codes are throttled from all addresses; recovery codes still work', async () => {
  const { url, app, recoveryCodes, advance } = await start()
  const browser = await enterPassword(url)
  for (let tries = 0; tries < 5; tries += 1)
    expect((await browser.post('/login/code', { code: `00000${tries}` })).status).toBe(403)
  const throttled = await browser.post('/login/code', { code: app.code() })
  expect(throttled.status).toBe(429)
  expect(throttled.headers.get('retry-after')).toBe('1')
  expect((await requestToken(url, app.code())).status).toBe(429)
  expect((await signInWithCode(url, recoveryCodes[0] ?? '')).path).toBe('/')
  advance(1000)
  expect((await browser.post('/login/code', { code: app.code() })).path).toBe('/')
  const next = await enterPassword(url)
  for (let tries = 0; tries < 5; tries += 1)
    expect((await next.post('/login/code', { code: `00000${tries}` })).status).toBe(403)
})

test('GET /oauth needs a code that was not used, and keys need none', async () => {
  const { url, app, ann, recoveryCodes } = await start()
  const missing = await requestToken(url)
  expect(missing.status).toBe(401)
  expect(await missing.json()).toMatchObject({ error: 'invalid_client' })
  expect((await requestToken(url, '000000')).status).toBe(401)
  const code = app.code()
  expect((await requestToken(url, code)).status).toBe(200)
  expect((await requestToken(url, code)).status).toBe(401)
  expect((await signInWithCode(url, code)).status).toBe(403)
  expect((await requestToken(url, recoveryCodes[0])).status).toBe(200)
  const keys = Buffer.from(`${ann.secret_key}:${ann.api_key}`).toString('base64')
  const reply = await fetch(`${url}/oauth`, { headers: { Authorization: `Basic ${keys}` } })
  expect(reply.status).toBe(200)
})

test('keys and confirmed actions need the code besides the password', async () => {
  const { browser, app, advance } = await start()
  const keys = '/settings/keys'
  const page = await browser.get(keys)
  expect(page.text).toContain('name="code"')
  const csrf = getHiddenField(page.text, 'csrf')
  const refused = await browser.post(keys, { csrf, password })
  expect(refused).toMatchObject({ status: 403 })
  expect(refused.errors.code).toContain('code')
  expect(refused.text).not.toContain('whsec_')
  const shown = await browser.post(keys, { csrf, password, code: app.code() })
  expect(shown.text).toContain('whsec_')
  const change = { password, new_password: 'another good one', repeated: 'another good one' }
  expect((await browser.submit('/settings/password', change)).status).toBe(403)
  advance(step)
  const changed = await browser.submit('/settings/password', { ...change, code: app.code() })
  expect(changed.notice).toMatchObject({ kind: 'done' })
})

test('without the app the password alone signs in again', async () => {
  const { browser, app, url, advance } = await start()
  const path = `${authenticatorPath}/remove`
  const was = getHiddenField((await browser.get(path)).text, 'was')
  expect((await browser.submit(path, { was, password })).status).toBe(403)
  const removed = await browser.submit(path, { was, password, code: app.code() })
  expect(removed.notice).toMatchObject({ kind: 'done' })
  advance(step)
  expect((await new Browser(url).signIn(annEmail, password)).path).toBe('/')
})
