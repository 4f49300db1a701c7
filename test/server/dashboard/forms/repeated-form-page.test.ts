import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getHiddenField, getShownSecret } from '../browser.js'
import { password, startWithBrowsers } from '../dashboard-relay.js'

const number = '+12025550123'
const minute = 60_000

async function start() {
  let now = Date.UTC(2030, 0, 1)
  const relay = await startWithBrowsers({}, { now: () => now })
  const csrf = getHiddenField((await relay.browser.get('/')).text, 'csrf')
  const createForm = (fields: Record<string, string> = {}) => {
    return { csrf, key: randomUUID(), ...fields }
  }
  const advanceTime = (milliseconds: number) => {
    now += milliseconds
  }
  return { ...relay, createForm, advanceTime }
}

const text = { destination: number, message: 'Hello', send_on: '', zone: 'UTC' }
const subscription = {
  ...{ event: 'message.sent', url: 'http://127.0.0.1:9/', method: 'POST', post: 'true' },
  ...{ on_exhausted: 'pause', window: '1', retry_schedule: '' },
}

const forms: Readonly<Record<string, Record<string, string>>> = {
  '/send': text,
  '/subscriptions': subscription,
  '/urls': { name: 'Door' },
  '/mailboxes': { subject: 'never' },
  '/do-not-text': { number: '+12025550199' },
  '/contacts': { number, name: 'Ann', groups: 'Team', fields: '' },
  '/contacts/groups': { name: 'Others' },
  '/templates': { name: 'Hi', text: 'Hi {name}' },
  '/accounts/new': { email: 'cy@example.com', country: 'US', mode: 'at-least-once' },
}

test('a form that is sent several times at once and later has its effect once', async () => {
  const { browser, createForm, client, administration } = await start()
  for (const [path, fields] of Object.entries(forms)) {
    const form = createForm(fields)
    const replies = await Promise.all([1, 2, 3].map(() => browser.post(path, form)))
    replies.push(await browser.post(path, form))
    expect(replies.map(({ status }) => status).join(), path).toBe('200,200,200,200')
    expect(new Set(replies.map(reply => reply.path)).size, path).toBe(1)
  }
  expect(await client.messages.list({ filter: 'all' })).toHaveLength(1)
  expect(await client.subscriptions.list()).toHaveLength(1)
  expect(await client.secretUrls.list()).toHaveLength(1)
  expect(await client.mailboxes.list()).toHaveLength(1)
  expect(await administration.listAccounts()).toHaveLength(3)
})

test('a repeated form shows the same secret, for ten minutes', async () => {
  const { browser, createForm, advanceTime } = await start()
  const path = '/settings/keys/api'
  const was = getHiddenField((await browser.get(path)).text, 'was')
  const form = createForm({ was, password })
  const first = await browser.post(path, form)
  const secret = getShownSecret(first.text, 'api-key')
  expect(secret).not.toBe('')
  expect(first.headers.get('cache-control')).toBe('no-store')
  advanceTime(9 * minute)
  expect(getShownSecret((await browser.post(path, form)).text, 'api-key')).toBe(secret)
  advanceTime(minute)
  const late = await browser.post(path, form)
  expect(getShownSecret(late.text, 'api-key')).toBe('')
})

test('a form that was answered with an error can be sent again with the same key', async () => {
  const { browser, createForm, client } = await start()
  const form = createForm({ ...text, destination: 'nobody' })
  expect((await browser.post('/send', form)).status).toBe(400)
  expect((await browser.post('/send', form)).status).toBe(400)
  expect((await browser.post('/send', { ...form, destination: number })).status).toBe(200)
  expect(await client.messages.list()).toHaveLength(1)
})

test('a wrong password uses up no form, and the right one counts once', async () => {
  const { browser, createForm } = await start()
  const path = '/settings/keys/app'
  const was = getHiddenField((await browser.get(path)).text, 'was')
  const form = createForm({ was, password })
  expect((await browser.post(path, { ...form, password: 'wrong' })).status).toBe(403)
  const replies = await Promise.all([1, 2].map(() => browser.post(path, form)))
  const keys = replies.map(reply => getShownSecret(reply.text, 'app-key'))
  expect(keys[0]).not.toBe('')
  expect(keys[1]).toBe(keys[0])
})

test('the same key on another path or in another session is that of another form', async () => {
  const { browser, bobBrowser, createForm, client } = await start()
  const form = createForm({ number, note: '' })
  await browser.post('/do-not-text', form)
  const removed = await browser.post('/do-not-text/remove', form)
  expect(removed.notice?.text).toContain('no longer')
  const csrf = getHiddenField((await bobBrowser.get('/')).text, 'csrf')
  expect((await bobBrowser.post('/do-not-text', { ...form, csrf })).notice?.kind).toBe('done')
  expect(await client.doNotText.list()).toEqual([])
})

test('a repeated form shows the message of the first one again', async () => {
  const { browser, createForm } = await start()
  const form = createForm({ number, note: '' })
  const first = await browser.post('/do-not-text', form)
  expect(first.notice?.text).toContain('now on the list')
  expect((await browser.post('/do-not-text', form)).notice).toEqual(first.notice)
})

test('a change of the password that is sent twice at once keeps its session', async () => {
  const { browser, createForm } = await start()
  const before = browser.cookies.get('smsrelay_session')
  const form = createForm({ password, new_password: 'a new password', repeated: 'a new password' })
  await Promise.all([1, 2].map(() => browser.post('/settings/password', form)))
  expect(browser.cookies.get('smsrelay_session')).not.toBe(before)
  expect((await browser.get('/settings')).path).toBe('/settings')
})

test.each(['', 'x', '"><img>'])('a form with the key %j is rejected', async key => {
  const { browser, createForm, client } = await start()
  expect((await browser.post('/send', createForm({ ...text, key }))).status).toBe(400)
  expect(await client.messages.list()).toEqual([])
})

test('every form of a page has a key of its own', async () => {
  const { browser, client } = await start()
  const { id } = await client.messages.create({ destination: number, message: 'Hello' })
  for (const path of ['/', '/send', '/settings', `/messages/${id}`, '/subscriptions/new']) {
    const { text: html } = await browser.get(path)
    const keys = [...html.matchAll(/name="key" value="([\w-]{43})"/g)].map(match => match[1])
    expect(keys.length, path).toBe(html.match(/<form [^>]*method="post"/g)?.length)
    expect(new Set(keys).size).toBe(keys.length)
  }
})
