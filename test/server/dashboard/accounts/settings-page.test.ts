import { expect, test } from 'vitest'
import { previousSecretLifetime } from '../../../../src/domain/webhook/signing-secret.js'
import { createClockAt } from '../../../util/async/fake-clock.js'
import { Browser, getHiddenField, password, startRelay } from '../browser.js'

const session = 'smsrelay_session'

async function signedIn() {
  let now = Date.UTC(2030, 5, 15)
  const world = await startRelay({}, { clock: createClockAt(() => now) })
  const browser = new Browser(world.url)
  await browser.signIn()
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { ...world, browser, pass }
}

async function oauth(url: string, user: string, secret: string): Promise<number> {
  const Authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  return (await fetch(`${url}/oauth`, { headers: { Authorization } })).status
}

/** Replaces a key by its form, as it was on `page`. */
async function replace(browser: Browser, name: string, more: Record<string, string> = {}) {
  const path = `/settings/keys/${name}`
  const form = (await browser.get(path)).text
  const [csrf, was] = [getHiddenField(form, 'csrf'), getHiddenField(form, 'was')]
  return await browser.post(path, { csrf, was, password, ...more })
}

/** The secret a page shows. */
function secretOn(html: string, name: string): string {
  return new RegExp(`<pre id="${name}-key" class="secret">\\s*([^<\\s]*)`).exec(html)?.[1] ?? ''
}

test('country and delivery mode are changed; what is wrong is told and changes nothing', async () => {
  const { browser, relay } = await signedIn()
  const changed = await browser.submit('/settings', { country: 'de', mode: 'at-most-once' })
  expect(changed.text).toContain('The settings are changed.')
  const account = await relay.administration.showAccount('ann@example.com')
  expect(account).toMatchObject({ country: 'DE', mode: 'at-most-once' })
  for (const wrong of [{ country: '"><b>' }, { mode: '<i>' }]) {
    const refused = await browser.submit('/settings', {
      ...{ country: 'FR', mode: 'at-least-once' },
      ...wrong,
    })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('role="alert"')
    expect(refused.text).not.toMatch(/<b>|<i>/)
  }
  expect(await relay.administration.showAccount('ann@example.com')).toEqual(account)
})

test('the e-mail address is changed with the password, and is what one signs in with', async () => {
  const { browser, url, relay } = await signedIn()
  await relay.administration.createAccount({ email: 'bob@example.com' })
  const path = '/settings/email'
  const wrong = await browser.submit(path, { email: 'new@example.com', password: 'wrong' })
  expect(wrong.status).toBe(403)
  for (const email of ['BOB@example.com', 'nobody', '<b>']) {
    const refused = await browser.submit(path, { email, password })
    expect(refused.status, email).toBe(400)
    expect(refused.text).not.toContain('<b>')
  }
  const email = '<b>"x"&@example.com'
  const done = await browser.submit(path, { email, password })
  expect(done.path).toBe('/settings')
  expect(done.text).toContain('&lt;b>&#34;x&#34;&amp;@example.com')
  expect(done.text).not.toContain('<b>')
  expect((await new Browser(url).signIn()).status).toBe(403)
  expect((await new Browser(url).signIn(email)).path).toBe('/')
})

test('a new password ends the other sessions and goes on with a new one here', async () => {
  const { browser, url } = await signedIn()
  const other = new Browser(url)
  await other.signIn()
  const before = browser.cookies.get(session)
  const wanted = 'a new password'
  const form = { password, new_password: wanted, repeated: wanted }
  const done = await browser.submit('/settings/password', form)
  expect(done.path).toBe('/settings')
  expect(done.text).toContain('The password is changed')
  expect(browser.cookies.get(session)).not.toBe(before)
  expect((await other.get('/')).path).toBe('/login')
  expect((await new Browser(url).signIn('ann@example.com', password)).status).toBe(403)
  expect((await new Browser(url).signIn('ann@example.com', wanted)).path).toBe('/')
})

test('a password is not changed without the old one, twice the new one, and 8 characters', async () => {
  const { browser, url } = await signedIn()
  const path = '/settings/password'
  const long = 'a new password'
  for (const [form, status] of [
    [{ password: 'wrong', new_password: long, repeated: long }, 403],
    [{ password: '', new_password: long, repeated: long }, 403],
    [{ password, new_password: long, repeated: 'another one' }, 400],
    [{ password, new_password: 'short', repeated: 'short' }, 400],
  ] as const) {
    const refused = await browser.submit(path, form)
    expect(refused.status).toBe(status)
    expect(refused.text).not.toContain(long)
    expect(refused.text).not.toContain(password)
  }
  expect((await new Browser(url).signIn()).path).toBe('/')
})

test('guesses at the password of a session are held back as those of signing in', async () => {
  const { browser } = await signedIn()
  const guess = async (secret: string) =>
    (await replace(browser, 'api', { password: secret })).status
  for (let tries = 0; tries < 10; tries += 1) expect(await guess(`wrong ${tries}`)).toBe(403)
  expect(await guess(password)).toBe(429)
})

test('signing out everywhere ends every session', async () => {
  const { browser, url } = await signedIn()
  const other = new Browser(url)
  await other.signIn()
  const kept = browser.cookies.get(session) ?? ''
  expect((await browser.submit('/settings/sessions/end')).path).toBe('/login')
  expect(browser.cookies.has(session)).toBe(false)
  browser.cookies.set(session, kept)
  expect((await browser.get('/')).path).toBe('/login')
  expect((await other.get('/')).path).toBe('/login')
})

test('keys are told only when they are asked for by a form', async () => {
  const { browser, ann } = await signedIn()
  const secrets = [ann.secret_key, ann.app_key, ann.api_key, 'whsec_']
  const paths = ['/', '/send', '/messages', '/settings', '/settings/keys', '/settings/keys/app']
  for (const path of paths) {
    const { text } = await browser.get(path)
    for (const secret of secrets) expect(text, path).not.toContain(secret)
  }
  const shown = await browser.submit('/settings/keys')
  expect(secretOn(shown.text, 'secret')).toBe(ann.secret_key)
  expect(secretOn(shown.text, 'app')).toBe(ann.app_key)
  expect(secretOn(shown.text, 'hook')).toMatch(/^whsec_/)
  expect(shown.text).not.toContain(ann.api_key)
  expect(shown.headers.get('cache-control')).toBe('no-store')
})

test('a replaced key works in place of the old one, and is shown this once', async () => {
  const { browser, ann, url } = await signedIn()
  const api = await replace(browser, 'api')
  expect(api.headers.get('cache-control')).toBe('no-store')
  const apiKey = secretOn(api.text, 'api')
  expect(await oauth(url, ann.secret_key, ann.api_key)).toBe(401)
  expect(await oauth(url, ann.secret_key, apiKey)).toBe(200)
  expect((await browser.submit('/settings/keys')).text).not.toContain(apiKey)
  const appKey = secretOn((await replace(browser, 'app')).text, 'app')
  expect(await oauth(url, ann.secret_key, ann.app_key)).toBe(401)
  expect(await oauth(url, ann.secret_key, appKey)).toBe(200)
  const secretKey = secretOn((await replace(browser, 'secret')).text, 'secret')
  expect(await oauth(url, ann.secret_key, apiKey)).toBe(401)
  expect(await oauth(url, secretKey, apiKey)).toBe(200)
})

test('a replaced hook secret is said to sign beside the new one for a day', async () => {
  const { browser, pass } = await signedIn()
  const before = secretOn((await browser.submit('/settings/keys')).text, 'hook')
  const after = secretOn((await replace(browser, 'hook')).text, 'hook')
  expect(after).toMatch(/^whsec_/)
  expect(after).not.toBe(before)
  const signs = 'signs beside it until <time datetime="2030-06-16'
  expect((await browser.get('/settings/keys')).text).toContain(signs)
  pass(previousSecretLifetime / 4)
  for (let step = 0; step < 3; step += 1) {
    pass(previousSecretLifetime / 4)
    await browser.signIn()
  }
  expect((await browser.get('/settings/keys')).text).not.toContain('signs beside it')
})

test('a key is not replaced without the password, nor by the same form twice', async () => {
  const { browser, ann, url } = await signedIn()
  expect((await replace(browser, 'api', { password: 'wrong' })).status).toBe(403)
  expect((await replace(browser, 'api', { password: '' })).status).toBe(403)
  expect((await replace(browser, 'api', { was: '' })).text).toContain('was replaced since')
  expect(await oauth(url, ann.secret_key, ann.api_key)).toBe(200)
  const form = (await browser.get('/settings/keys/api')).text
  const fields = { csrf: getHiddenField(form, 'csrf'), was: getHiddenField(form, 'was'), password }
  const first = secretOn((await browser.post('/settings/keys/api', fields)).text, 'api')
  const second = await browser.post('/settings/keys/api', fields)
  expect(second.path).toBe('/settings/keys')
  expect(second.text).toContain('The API key was replaced since that page was loaded.')
  expect(await oauth(url, ann.secret_key, first)).toBe(200)
})

test('there are no keys of other names', async () => {
  const { browser } = await signedIn()
  for (const name of ['all', 'toString', '%3Cb%3E']) {
    const missing = await browser.get(`/settings/keys/${name}`)
    expect(missing.status).toBe(404)
    expect((await replace(browser, name)).status).toBe(404)
  }
})

const forms = [
  '/settings',
  '/settings/email',
  '/settings/password',
  '/settings/sessions/end',
  '/settings/keys',
  '/settings/keys/api',
  '/phones/pixel/forget',
]

test.each(forms)('POST %s needs a session, its token and a page of ours', async path => {
  const { browser, url, ann } = await signedIn()
  const form = { country: 'FR', mode: 'at-most-once', password, email: 'x@example.com' }
  expect((await new Browser(url).post(path, form)).path).toBe('/login')
  expect((await browser.post(path, form)).status).toBe(403)
  expect((await browser.post(path, { ...form, csrf: 'forged' })).status).toBe(403)
  const csrf = getHiddenField((await browser.get('/')).text, 'csrf')
  const headers = { 'Sec-Fetch-Site': 'cross-site' }
  expect((await browser.post(path, { ...form, csrf }, { headers })).status).toBe(403)
  expect((await browser.get('/settings')).text).toContain('value="US"')
  expect(await oauth(url, ann.secret_key, ann.api_key)).toBe(200)
})
