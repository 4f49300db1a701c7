import { expect, test } from 'vitest'
import { Browser, getHiddenField } from '../browser.js'
import { annEmail, password, startRelay } from '../dashboard-relay.js'
import { setUpApp } from '../security/second-factor.js'

const step = 30_000
const sessionCookie = 'smsrelay_session'

/** Browsers with the same cookies, as one whose second click ends its first request. */
function openTwins(url: string, { cookies }: Browser): [Browser, Browser] {
  const open = () => {
    const browser = new Browser(url)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    return browser
  }
  return [open(), open()]
}

async function start() {
  let time = Date.UTC(2030, 0)
  const relay = await startRelay({}, { now: () => time })
  const advance = (milliseconds: number) => {
    time += milliseconds
  }
  return { ...relay, advance, now: () => time }
}

/** The key that the form of a page has. */
async function readKey(browser: Browser, path: string): Promise<string> {
  const key = getHiddenField((await browser.get(path)).text, 'key')
  expect(key).not.toBe('')
  return key
}

test.each([
  ['at once', (send: readonly (() => Promise<string>)[]) => Promise.all(send.map(each => each()))],
  [
    'one after the other',
    async ([first, second]: readonly (() => Promise<string>)[]) => [
      await first?.(),
      await second?.(),
    ],
  ],
])('a sign-in that is sent twice %s starts one session', async (_, sendBoth) => {
  const { url } = await start()
  const browser = new Browser(url)
  const form = { key: await readKey(browser, '/login'), email: annEmail, password }
  const twins = openTwins(url, browser)
  const send = twins.map(each => async () => {
    await each.post('/login', form)
    return each.cookies.get(sessionCookie) ?? ''
  })
  const [first, second] = await sendBoth(send)
  expect(first).toMatch(/^srt_/)
  expect(second).toBe(first)
})

test('a code that is sent twice signs in once, and only with the cookie of its step', async () => {
  const { url, openBrowser, advance, now } = await start()
  const { app } = await setUpApp(await openBrowser(), now)
  advance(2 * step)
  const browser = new Browser(url)
  await browser.signIn(annEmail, password)
  const form = { key: await readKey(browser, '/login/code'), code: app.code() }
  const [first, second] = openTwins(url, browser)
  const stranger = new Browser(url)
  for (const each of [first, second]) expect((await each.post('/login/code', form)).path).toBe('/')
  expect(second.cookies.get(sessionCookie)).toBe(first.cookies.get(sessionCookie))
  expect((await stranger.post('/login/code', form)).path).toBe('/login')
})

const bothOf = { key: 'a form key', none: 'no form key' } as const
const codesOf = { one: 'one code', two: 'two codes that are right' } as const
const orders = { atOnce: 'at once', inTurn: 'one after the other' } as const

test.each(
  Object.values(bothOf).flatMap(withKey =>
    Object.values(codesOf).flatMap(codes =>
      Object.values(orders).map(order => [withKey, codes, order] as const),
    ),
  ),
)('a code form with %s and %s, sent %s, starts one session', async (withKey, codes, order) => {
  const { url, openBrowser, advance, now } = await start()
  const { app, recoveryCodes } = await setUpApp(await openBrowser(), now)
  advance(2 * step)
  const browser = new Browser(url)
  await browser.signIn(annEmail, password)
  const key: Record<string, string> =
    withKey === bothOf.key ? { key: await readKey(browser, '/login/code') } : {}
  const second = codes === codesOf.one ? app.code() : (recoveryCodes[0] ?? '')
  const forms = [app.code(), second].map(code => ({ ...key, code }))
  const twins = openTwins(url, browser)
  const send = forms.map((form, index) => async () => {
    await twins[index]?.post('/login/code', form, { follow: false })
    return twins[index]?.cookies.get(sessionCookie) ?? ''
  })
  const sent: string[] = []
  if (order === orders.atOnce) sent.push(...(await Promise.all(send.map(each => each()))))
  else for (const each of send) sent.push(await each())
  expect(new Set(sent.filter(each => each !== '')).size).toBe(1)
})

test('the form of a session that has ended signs in again', async () => {
  const { url } = await start()
  const browser = new Browser(url)
  const form = { key: await readKey(browser, '/login'), email: annEmail, password }
  await browser.post('/login', form)
  const session = browser.cookies.get(sessionCookie)
  await browser.submit('/logout')
  expect((await browser.post('/login', form)).path).toBe('/')
  expect(browser.cookies.get(sessionCookie)).not.toBe(session)
})

test('a wrong password and then the right one sign in with one form', async () => {
  const { url } = await start()
  const browser = new Browser(url)
  const form = { key: await readKey(browser, '/login'), email: annEmail }
  expect((await browser.post('/login', { ...form, password: 'wrong' })).status).toBe(403)
  expect((await browser.post('/login', { ...form, password })).path).toBe('/')
})

test('an invitation that is sent twice by one form leads to the sign-in both times', async () => {
  const { url, openBrowser } = await start()
  const invited = { email: 'cleo@example.com', role: 'reader' }
  const page = await (await openBrowser()).submit('/settings/people', invited)
  const path = /\/invitation\/[\w-]+/.exec(page.text)?.[0] ?? ''
  const key = await readKey(new Browser(url), path)
  const form = { key, new_password: password, repeated: password }
  for (const twin of openTwins(url, new Browser(url)))
    expect((await twin.post(path, form)).path).toBe('/login')
  const other = await new Browser(url).post(path, { ...form, key: `${key}x` })
  expect(other).toMatchObject({ status: 404, path })
})
