import { expect, test } from 'vitest'
import { Browser, getHiddenField } from '../browser.js'
import { annEmail, password, startRelay } from '../dashboard-relay.js'
import { invite } from '../people/people-rig.js'
import { enterPassword, setUpApp } from '../security/second-factor.js'

const cookie = 'smsrelay_failure'
const start = { status: 200, notice: undefined }

test('a failed sign-in redirects to its form, which shows the error once', async () => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  const form = { email: annEmail, password: 'my wrong password', next: '/messages?q=x' }
  const sent = await browser.post('/login', form, { follow: false })
  expect([sent.status, sent.text]).toEqual([303, ''])
  const path = sent.headers.get('location') ?? ''
  expect(path).toBe('/login?next=%2Fmessages%3Fq%3Dx')
  const page = await browser.get(path)
  expect(page.status).toBe(403)
  expect(page.notice?.text).toMatch(/is wrong.*ask an admin of your account/)
  expect(page.text).toContain(`value="${annEmail}"`)
  expect(page.text).not.toContain('my wrong password')
  expect(getHiddenField(page.text, 'next')).toBe('/messages?q=x')
  expect(await browser.get(path), 'a reload').toMatchObject(start)
  expect((await browser.post('/login', { ...form, password })).path).toBe('/messages?q=x')
})

test('the page of a failed sign-in is the same for an address that nobody has', async () => {
  const { url } = await startRelay()
  const pages = []
  for (const email of [annEmail, 'nobody@example.com']) {
    const browser = new Browser(url)
    const reply = await browser.post('/login', { email, password: 'wrong' }, { follow: false })
    const stored = Buffer.from(browser.cookies.get(cookie) ?? '', 'base64url').toString()
    const location = reply.headers.get('location')
    const { status, text } = await browser.get('/login')
    const html = text.replace(/name="key" value="[^"]*"|<!--.*-->/g, '')
    pages.push(JSON.stringify([stored, location, status, html]).replaceAll(email, ''))
  }
  expect(pages[1]).toBe(pages[0])
})

test('a page after too many wrong passwords has the status 429 and tells the wait', async () => {
  const { url } = await startRelay({}, { now: () => 1_800_000_000_000 })
  const browser = new Browser(url)
  for (let tries = 0; tries < 12; tries += 1) await browser.signIn(annEmail, `wrong ${tries}`)
  const page = await browser.signIn(annEmail, password)
  expect([page.status, page.path, page.headers.get('retry-after')]).toEqual([429, '/login', '1'])
  expect(page.notice?.text).toContain('try again in 1 s')
  expect(await browser.get('/login')).toMatchObject(start)
})

test('a body that is too long for the sign-in gets a page that says so', async () => {
  const { url } = await startRelay()
  const page = await new Browser(url).signIn(annEmail, 'x'.repeat(9000))
  expect([page.status, page.path]).toEqual([413, '/login'])
  expect(page.notice?.text).toContain('the body is too large')
})

test('a wrong code redirects to its form, which shows the error once', async () => {
  let now = Date.UTC(2030, 0)
  const { url, openBrowser } = await startRelay({}, { now: () => now })
  const { app } = await setUpApp(await openBrowser(), () => now)
  now += 60_000
  const browser = await enterPassword(url)
  const form = { code: '000000', next: '/messages' }
  const sent = await browser.post('/login/code', form, { follow: false })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/login/code?next=%2Fmessages'])
  const page = await browser.get('/login/code?next=%2Fmessages')
  expect(page.status).toBe(403)
  expect(page.notice?.text).toContain('The code is wrong')
  expect(await browser.get('/login/code')).toMatchObject(start)
  for (let tries = 0; tries < 5; tries += 1) await browser.post('/login/code', form)
  const throttled = await browser.post('/login/code', { code: app.code() })
  expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '1'])
  now += 60_000
  expect((await browser.post('/login/code', { ...form, code: app.code() })).path).toBe('/messages')
})

test.each([
  ['differs', 'correct horse', 'correct house', { repeated: 'It does not match the password.' }],
  ['is short', 'short', 'short', { new_password: 'Password must have 8 to 1024 characters.' }],
  ['is common', 'password1', 'password1', { new_password: expect.stringContaining('leaked') }],
])('a password of an invitation that %s is shown as an error once', async (...row) => {
  const [, first, repeated, errors] = row
  const { url, openBrowser } = await startRelay()
  const path = await invite(await openBrowser(), 'cleo@example.com', 'reader')
  const browser = new Browser(url)
  const form = { new_password: first, repeated }
  const sent = await browser.post(path, form, { follow: false })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, path])
  const page = await browser.get(path)
  expect(page).toMatchObject({ status: 400, errors })
  expect(page.text).not.toContain(first)
  expect(await browser.get(path)).toMatchObject({ status: 200, errors: {} })
  const right = await browser.post(path, { new_password: password, repeated: password })
  expect(right.path).toBe('/login')
})

const planted = { path: '/login', reason: 'invalid_client', text: 'Call +1 202 555 0123' }

test.each([
  ['a text', planted, 403],
  ['an unknown reason', { ...planted, reason: 'Call +1 202 555 0123' }, 200],
  ['a name of every object', { ...planted, reason: 'toString' }, 200],
  ['another path', { ...planted, path: '/login/code' }, 200],
  ['a wait of another type', { ...planted, wait: '<b>' }, 403],
  ['an array', [], 200],
  ['nothing', null, 200],
])('a planted cookie with %s shows no text of others', async (_, value, status) => {
  const { url } = await startRelay()
  const browser = new Browser(url)
  browser.cookies.set(cookie, Buffer.from(JSON.stringify(value)).toString('base64url'))
  const page = await browser.get('/login')
  expect(page.status).toBe(status)
  expect(page.text).not.toMatch(/Call|<b>/)
  browser.cookies.set(cookie, 'no.json')
  expect(await browser.get('/login')).toMatchObject(start)
})
