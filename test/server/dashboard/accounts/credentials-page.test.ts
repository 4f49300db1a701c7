import { expect, test } from 'vitest'
import { Browser } from '../browser.js'
import { annEmail, bobEmail, password, startRelay, startWithBrowsers } from '../dashboard-relay.js'

const session = 'smsrelay_session'

test('the e-mail address is changed with the password and then signs in', async () => {
  const { browser, url } = await startWithBrowsers()
  const path = '/settings/email'
  const wrong = await browser.submit(path, { email: 'new@example.com', password: 'wrong' })
  expect(wrong.status).toBe(403)
  for (const email of [bobEmail.toUpperCase(), 'nobody', '<b>']) {
    const rejected = await browser.submit(path, { email, password })
    expect(rejected.status, email).toBe(400)
    expect(Object.keys(rejected.errors)).toEqual(['email'])
    expect(rejected.text).not.toContain('<b>')
  }
  const email = "o'x&b@example.com"
  const changed = await browser.submit(path, { email, password })
  expect(changed.path).toBe('/settings')
  expect(changed.text).toContain('o&#39;x&amp;b@example.com')
  expect((await new Browser(url).signIn(annEmail, password)).status).toBe(403)
  expect((await new Browser(url).signIn(email, password)).path).toBe('/')
})

test('five changes of the e-mail address a day can ask which addresses are taken', async () => {
  const { browser, bobBrowser } = await startWithBrowsers()
  const path = '/settings/email'
  const change = async (email: string) => await browser.submit(path, { email, password })
  for (let n = 0; n < 5; n += 1) expect((await change(bobEmail)).status).toBe(400)
  const [taken, free] = [await change(bobEmail), await change('free@example.com')]
  expect([taken.status, free.status]).toEqual([429, 429])
  expect((await browser.get('/settings')).text).toContain(annEmail)
  const other = await bobBrowser.submit(path, { email: 'bob2@example.com', password })
  expect(other.path).toBe('/settings')
})

test('a new password ends the other sessions and starts a new one in this browser', async () => {
  const { openBrowser, url } = await startRelay()
  const [browser, other] = [await openBrowser(), await openBrowser()]
  const before = browser.cookies.get(session)
  const newPassword = 'a new password'
  const form = { password, new_password: newPassword, repeated: newPassword }
  const changed = await browser.submit('/settings/password', form)
  expect(changed.path).toBe('/settings')
  expect(changed.notice?.kind).toBe('done')
  expect(browser.cookies.get(session)).not.toBe(before)
  expect((await other.get('/')).path).toBe('/login')
  expect((await new Browser(url).signIn(annEmail, password)).status).toBe(403)
  expect((await new Browser(url).signIn(annEmail, newPassword)).path).toBe('/')
})

test('a new password needs the old one, a repetition and 8 characters, and is rare', async () => {
  const { openBrowser } = await startRelay()
  const browser = await openBrowser()
  const long = 'a new password'
  for (const [form, status, field] of [
    [{ password: 'wrong', new_password: long, repeated: long }, 403, 'password'],
    [{ password: '', new_password: long, repeated: long }, 403, 'password'],
    [{ password, new_password: long, repeated: 'another one' }, 400, 'repeated'],
    [{ password, new_password: 'short', repeated: 'short' }, 400, 'new_password'],
    [{ password, new_password: 'Trustno1', repeated: 'Trustno1' }, 400, 'new_password'],
  ] as const) {
    const rejected = await browser.submit('/settings/password', form)
    expect(rejected.status).toBe(status)
    expect(Object.keys(rejected.errors)).toEqual([field])
    expect(rejected.text).not.toContain(long)
    expect(rejected.text).not.toContain(password)
  }
  expect((await openBrowser()).cookies.has(session)).toBe(true)
})
