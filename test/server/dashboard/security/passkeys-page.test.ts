import { expect, test } from 'vitest'
import { Browser, getHiddenField, type PageReply, readRows } from '../browser.js'
import { annEmail, password, startRelay } from '../dashboard-relay.js'
import { readRecoveryCodes } from './second-factor.js'
import { type Deviation, readPasskeyOptions, SoftwarePasskey } from './software-passkey.js'

const security = '/settings/security'
const newPath = `${security}/passkeys/new`
const passkeysPath = `${security}/passkeys`

/** A browser at a host name, with the page that makes a passkey. */
async function start() {
  const relay = await startRelay()
  const url = relay.url.replace('127.0.0.1', 'localhost')
  const browser = new Browser(url)
  await browser.signIn(annEmail, password)
  const csrf = getHiddenField((await browser.get(newPath)).text, 'csrf')
  const open = async () => await browser.post(newPath, { csrf, password })
  const add = async (page: PageReply, passkey: string, name = 'My key') => {
    const challenge = getHiddenField(page.text, 'challenge')
    return await browser.post(passkeysPath, { csrf, challenge, passkey, name })
  }
  return { ...relay, url, browser, open, add }
}

/** Ann has a passkey as her second factor. */
async function startWithPasskey() {
  const relay = await start()
  const passkey = new SoftwarePasskey(relay.url)
  const page = await relay.open()
  const shown = await relay.add(page, passkey.create(readPasskeyOptions(page.text)))
  expect(shown.status, shown.text).toBe(200)
  const begin = async () => {
    const browser = new Browser(relay.url)
    return { browser, page: await browser.signIn(annEmail, password) }
  }
  const signIn = async (deviation: Deviation = {}) => {
    const { browser, page: asking } = await begin()
    const challenge = getHiddenField(asking.text, 'challenge')
    const reply = passkey.get(readPasskeyOptions(asking.text), deviation)
    return await browser.post('/login/code', { challenge, passkey: reply })
  }
  return { ...relay, passkey, begin, signIn, recoveryCodes: readRecoveryCodes(shown) }
}

test('a passkey is added after the password, and then signs in', async () => {
  const { signIn, browser, recoveryCodes } = await startWithPasskey()
  expect(recoveryCodes).toHaveLength(10)
  expect(readRows((await browser.get(security)).text)[0]?.slice(0, 2)).toEqual([
    'My key',
    'localhost',
  ])
  expect((await signIn()).path).toBe('/')
  expect((await signIn()).path).toBe('/')
})

test('without the password no passkey is added', async () => {
  const { browser, url, add } = await start()
  const page = await browser.get(newPath)
  expect(page.text).not.toContain('data-options')
  const made = new SoftwarePasskey(url).create({ challenge: 'x' })
  expect((await add(page, made)).path).toBe(newPath)
  expect(readRows((await browser.get(security)).text)).toHaveLength(1)
})

test.each<[string, (origin: string) => Deviation]>([
  ['for another site', () => ({ origin: 'https://evil.example' })],
  ['with another challenge', () => ({ challenge: 'AAAA' })],
])('a new passkey %s is refused', async (_, deviate) => {
  const { url, open, add } = await start()
  const page = await open()
  const passkey = new SoftwarePasskey(url)
  const refused = await add(page, passkey.create(readPasskeyOptions(page.text), deviate(url)))
  expect(refused.status).toBe(400)
  expect(refused.notice?.kind).toBe('failed')
  // The next page has another challenge; that of the first was used.
  const replayed = await add(page, passkey.create(readPasskeyOptions(page.text)))
  expect(replayed.status).toBe(400)
  const { status } = await add(refused, passkey.create(readPasskeyOptions(refused.text)))
  expect(status).toBe(200)
})

test.each<[string, Deviation]>([
  ['for another site', { origin: 'https://evil.example' }],
  ['with another challenge', { challenge: 'AAAA' }],
  ['that was copied, whose counter does not grow', { counter: 1 }],
])('a reply of a passkey %s does not sign in', async (_, deviation) => {
  const { signIn } = await startWithPasskey()
  expect((await signIn()).path).toBe('/')
  expect(await signIn(deviation)).toMatchObject({ status: 403, path: '/login/code' })
  expect((await signIn({ counter: 9 })).path).toBe('/')
})

test('a reply belongs to its sign-in and works once', async () => {
  const { begin, passkey } = await startWithPasskey()
  const { browser, page } = await begin()
  const challenge = getHiddenField(page.text, 'challenge')
  const form = { challenge, passkey: passkey.get(readPasskeyOptions(page.text)) }
  const stranger = await begin()
  expect((await stranger.browser.post('/login/code', form)).status).toBe(403)
  const replies = await Promise.all([1, 2].map(() => browser.post('/login/code', form)))
  expect(replies.filter(({ path }) => path === '/')).toHaveLength(1)
  for (const reply of ['', '{}', 'null', '[]', '"x"', '{"id":1}', 'x'.repeat(5000)]) {
    const { browser: other, page: asking } = await begin()
    const again = { challenge: getHiddenField(asking.text, 'challenge'), passkey: reply }
    expect((await other.post('/login/code', again)).status, reply.slice(0, 10)).toBe(403)
  }
})

test('at an IP address the pages say why there are no passkeys', async () => {
  const { openBrowser, url } = await startRelay()
  expect(url).toContain('127.0.0.1')
  const browser = await openBrowser()
  for (const path of [security, newPath])
    expect((await browser.get(path)).text).toContain('They do not work at an IP address')
})

test('somebody with passkeys alone is asked for one first, elsewhere for a code', async () => {
  const relay = await startWithPasskey()
  const { page } = await relay.begin()
  const [passkey, code] = [page.text.indexOf('Use a passkey'), page.text.indexOf('Recovery code')]
  expect(passkey).toBeGreaterThan(0)
  expect(code).toBeGreaterThan(passkey)
  const wrong = await relay.signIn({ origin: 'https://evil.example' })
  expect(wrong.notice?.text).toContain(
    'The passkey or the recovery code was not accepted. Try another one.',
  )
  const other = await new Browser(relay.url.replace('localhost', '127.0.0.1')).signIn(
    annEmail,
    password,
  )
  expect(other.text).not.toContain('Use a passkey')
  expect(other.text).toContain('Your passkeys do not work at this address.')
})

test('keys are shown with a passkey besides the password', async () => {
  const { browser, passkey } = await startWithPasskey()
  const page = await browser.get('/settings/keys/app')
  expect(page.text).toContain('data-passkey="get"')
  const was = getHiddenField(page.text, 'was')
  const challenge = getHiddenField(page.text, 'challenge')
  const form = { was, password, challenge }
  expect((await browser.submit('/settings/keys/app', form)).status).toBe(403)
  const signed = { ...form, passkey: passkey.get(readPasskeyOptions(page.text)) }
  expect((await browser.submit('/settings/keys/app', signed)).text).toContain('srp_')
})
