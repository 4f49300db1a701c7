import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Browser, getHiddenField, getShownSecret, type PageReply, readRows } from '../browser.js'
import { annEmail, password, startWithBrowsers } from '../dashboard-relay.js'
import { readRecoveryCodes } from '../security/second-factor.js'
import { readPasskeyOptions, SoftwarePasskey } from '../security/software-passkey.js'
import { invite, joinAccount } from './people-rig.js'

const people = '/settings/people'
const security = '/settings/security'
const missingId = '01a00000-0000-7000-8000-000000000000'
const guestEmail = 'guest@example.com'

const readCsrf = async (browser: Browser, path = '/') =>
  getHiddenField((await browser.get(path)).text, 'csrf')

/** Ann has one person and one invitation; Bob has another account. */
async function start() {
  const relay = await startWithBrowsers()
  const link = await invite(relay.browser, guestEmail, 'sender')
  const guest = await joinAccount(relay.url, link, guestEmail)
  const open = await invite(relay.browser, 'late@example.com', 'reader')
  return { ...relay, guest, open }
}

const listActions = ({ text }: PageReply, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, path = '']) => path)

/** Sends one form twice at once, and then again. */
async function sendTwice(browser: Browser, path: string, fields: Record<string, string>) {
  const form = { csrf: await readCsrf(browser), key: randomUUID(), ...fields }
  const replies = await Promise.all([1, 2].map(async () => await browser.post(path, form)))
  replies.push(await browser.post(path, form))
  expect(replies.map(({ status }) => status).join(), path).toBe('200,200,200')
  expect(new Set(replies.map(reply => reply.path)).size, path).toBe(1)
  return replies
}

test('forms about the people of another account answer as those about nobody', async () => {
  const { browser, bobBrowser, guest, open, url } = await start()
  const shown = await browser.get(people)
  const forms = listActions(shown, /action="(\/settings\/people\/[^"]+)"/g)
  expect(forms.map(path => path.replace(/[\w-]{30,}/, ':'))).toEqual([
    ...[`${people}/:/role`, `${people}/:/remove`, `${people}/invitations/:/revoke`],
  ])
  const sessions = listActions(await guest.get(security), /action="([^"]+\/sessions\/[^"]+)"/g)
  const own = await browser.get(security)
  for (const path of [...forms, ...sessions]) {
    const reply = await bobBrowser.submit(path, { role: 'admin' })
    const missing = path.replace(/[\w-]{30,}/, missingId)
    const other = await bobBrowser.submit(missing, { role: 'admin' })
    const text = other.notice?.text.replace(missingId, path.match(/[\w-]{30,}/)?.[0] ?? '')
    expect([reply.status, reply.notice?.text], path).toEqual([other.status, text])
  }
  const listPeople = ({ text }: PageReply) => readRows(text).map(row => row.slice(0, 2))
  expect(listPeople(await browser.get(people))).toEqual(listPeople(shown))
  expect(readRows((await browser.get(security)).text)).toHaveLength(readRows(own.text).length)
  expect((await guest.get('/')).path).toBe('/')
  expect((await new Browser(url).get(open)).status).toBe(200)
})

test('nobody ends a session or removes a passkey of somebody else in the account', async () => {
  const { browser, guest, url } = await start()
  const site = url.replace('127.0.0.1', 'localhost')
  const { owner, passkeyPath } = await addPasskey(site, 'Key')
  const second = new Browser(url)
  await second.signIn(guestEmail, password)
  const [end = ''] = listActions(await guest.get(security), /action="([^"]+\/end)"/g)
  await browser.submit(end)
  expect((await second.get('/')).path).toBe('/')
  const stranger = new Browser(site)
  await stranger.signIn(guestEmail, password)
  const missing = passkeyPath.replace(/[^/]+(?=\/remove)/, 'none')
  for (const path of [passkeyPath, missing]) {
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.submit(path, { password })).status).toBe(404)
  }
  expect((await owner.get(security)).text).toContain(passkeyPath)
})

/** Ann adds a passkey, by a form that is sent twice at once. */
async function addPasskey(site: string, name: string) {
  const owner = new Browser(site)
  await owner.signIn(annEmail, password)
  const page = await owner.submit(`${security}/passkeys/new`, { password })
  const passkey = new SoftwarePasskey(site).create(readPasskeyOptions(page.text))
  const challenge = getHiddenField(page.text, 'challenge')
  const replies = await sendTwice(owner, `${security}/passkeys`, { challenge, passkey, name })
  const shown = await owner.get(security)
  const [passkeyPath = ''] = listActions(shown, /href="([^"]+\/passkeys\/[^"]+\/remove)"/g)
  return { owner, replies, shown, passkeyPath }
}

test('a double click invites once, and both replies show the one link that works', async () => {
  const { browser, url } = await startWithBrowsers()
  const form = { email: guestEmail, role: 'reader' }
  const replies = await sendTwice(browser, people, form)
  const links = new Set(replies.map(({ text }) => getShownSecret(text, 'invitation-link')))
  expect(links.size).toBe(1)
  const path = new URL([...links][0] ?? '').pathname
  const join = { new_password: password, repeated: password }
  const joined = await Promise.all([1, 2].map(() => new Browser(url).post(path, join)))
  expect(joined.map(reply => reply.path.split('/')[1]).sort()).toEqual(['invitation', 'login'])
  expect(readRows((await browser.get(people)).text)).toHaveLength(2)
  const late = await browser.post(people, {
    ...{ csrf: await readCsrf(browser), key: randomUUID() },
    ...form,
  })
  expect(late.errors).toHaveProperty('email')
})

test('a double click sets up a second factor once, and both replies show its codes', async () => {
  const { browser, url } = await startWithBrowsers()
  const { replies, shown } = await addPasskey(url.replace('127.0.0.1', 'localhost'), 'Key')
  expect(new Set(replies.map(reply => readRecoveryCodes(reply).join())).size).toBe(1)
  expect(readRows(shown.text).filter(([name]) => name === 'Key')).toHaveLength(1)
  expect(shown.text).toContain('10 left')
  expect((await browser.get('/')).path).toMatch(/^\/login/)
})

test('another site cannot accept an invitation', async () => {
  const { open, url } = await start()
  const join = { new_password: password, repeated: password }
  const foreign: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://evil.example' },
  ]
  for (const headers of foreign)
    expect((await new Browser(url).post(open, join, { headers })).status).toBe(403)
  expect((await new Browser(url).get(open)).status).toBe(200)
})
