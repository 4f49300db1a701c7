import { expect, test } from 'vitest'
import { Browser, getHiddenField } from '../browser.js'
import { annEmail, bobEmail, password, startWithBrowsers } from '../dashboard-relay.js'

const number = '+12025550123'
const hour = 60 * 60_000

async function start() {
  let now = Date.UTC(2030, 0, 1)
  const relay = await startWithBrowsers({}, { now: () => now })
  const { browser, url } = relay
  const advanceTime = (milliseconds: number) => {
    now += milliseconds
  }
  /** Opens a page, and sends its form after the session has ended. */
  const sendLate = async (
    path: string,
    fields: Record<string, string> | FormData,
    from = path,
    sender = browser,
  ) => {
    const csrf = getHiddenField((await sender.get(from)).text, 'csrf')
    advanceTime(12 * hour)
    const options = { headers: { Referer: `${url}${from}` } }
    if (!(fields instanceof FormData)) return await sender.post(path, { csrf, ...fields }, options)
    fields.set('csrf', csrf)
    return await sender.post(path, fields, options)
  }
  const signIn = async (next: string, email = annEmail, sender = browser) =>
    await sender.post('/login', { email, password, next })
  return { ...relay, advanceTime, sendLate, signIn }
}

const text = { destination: number, message: 'A "long" text\r\n<with> & lines', zone: 'Asia/Tokyo' }

test('the input of an ended session is shown again after sign-in, and not sent', async () => {
  const { browser, client, sendLate, signIn } = await start()
  const ended = await sendLate('/send', { ...text, send_on: '2031-01-01T10:00' })
  expect(ended.path).toBe('/login?next=%2Fsend&kept=1')
  expect(ended.notice?.text).toContain('30 minutes')
  const form = await signIn('/send')
  expect([form.path, form.notice?.kind]).toEqual(['/send', 'failed'])
  expect(form.text).toContain('>\nA "long" text'.replaceAll('"', '&#34;'))
  expect(form.text).toContain('&lt;with> &amp; lines</textarea>')
  expect(form.text).toContain(`>\n${number}</textarea>`)
  expect(form.text).toContain('value="2031-01-01T10:00"')
  expect(form.text).toMatch(/<option value="Asia\/Tokyo" selected/)
  expect(await client.messages.list()).toEqual([])
  expect((await browser.get('/send')).text, 'a reload shows it again').toContain('&lt;with>')
  await browser.submit('/send', { ...text, send_on: '' })
  expect(await client.messages.list()).toHaveLength(1)
  expect((await browser.get('/send')).text).not.toContain('&lt;with>')
})

test('input with an error is shown if the session ends before the page about it', async () => {
  const { browser, bobBrowser, signIn, url } = await start()
  const csrf = getHiddenField((await browser.get('/send')).text, 'csrf')
  const form = { csrf, message: 'My long text', destination: 'nobody' }
  const options = { follow: false, headers: { Referer: `${url}/send?again=` } }
  const result = (await browser.post('/send', form, options)).headers.get('location') ?? ''
  await fetch(`${url}/oauth/revoke?token=${browser.cookies.get('smsrelay_session')}`)
  const login = await browser.get(result)
  expect(login.path).toBe(`/login?next=${encodeURIComponent(result)}`)
  for (const [name, value] of browser.cookies) bobBrowser.cookies.set(name, value)
  expect((await signIn(result, bobEmail, bobBrowser)).text).not.toContain('My long text')
  const page = await signIn(result)
  expect([page.path, page.notice?.kind]).toEqual(['/send?again=', 'failed'])
  expect(page.text).toContain('My long text</textarea>')
  expect(page.text).toContain('nobody</textarea>')
  expect((await browser.get('/send?again=')).text, 'a reload shows it again').toContain('My long')
})

test('the input for a message that is gone is shown with a sentence', async () => {
  const { browser, client, sendLate, signIn } = await start()
  const { id } = await client.messages.create({ ...text, send_on: '2099-01-01 10:00:00' })
  const path = `/messages/${id}/edit`
  const version = getHiddenField((await browser.get(path)).text, 'version')
  await sendLate(path, { destination: number, message: 'My long text', version })
  await client.messages.delete(id)
  const gone = await signIn(path)
  expect([gone.path, gone.status]).toEqual([path, 404])
  expect(gone.text).toContain('Your input cannot be sent any more.')
  expect(gone.text).toContain('My long text')
  expect((await browser.get(`/messages/${id}`)).text).not.toContain('My long text')
})

test('the form still changes the version that it first showed', async () => {
  const { browser, client, sendLate, signIn } = await start()
  const { id } = await client.messages.create({ ...text, send_on: '2099-01-01 10:00:00' })
  const path = `/messages/${id}/edit`
  const fields = { destination: number, send_on: '2099-01-01T10:00', zone: 'UTC' }
  const version = getHiddenField((await browser.get(path)).text, 'version')
  await sendLate(path, { ...fields, message: 'Mine', version })
  await client.messages.edit(id, { message: 'Theirs' })
  const form = await signIn(path)
  expect(form.text).toContain('Mine</textarea>')
  const shown = getHiddenField(form.text, 'version')
  const conflict = await browser.submit(path, { ...fields, message: 'Mine', version: shown })
  expect(conflict.status).toBe(409)
  expect((await client.messages.get(id)).message).toBe('Theirs')
})

test('a table keeps its batch, so that no message is sent twice', async () => {
  const { browser, sendLate, signIn } = await start()
  const batch = getHiddenField((await browser.get('/send/many')).text, 'batch')
  const table = `number,message\n${number},Hi`
  await sendLate('/send/many', { table, text: '', zone: 'UTC', send_on: '', batch })
  const form = await signIn('/send/many')
  expect(form.text).toContain(`>\n${table}</textarea>`)
  expect(getHiddenField(form.text, 'batch')).toBe(batch)
})

test('another account does not see the input', async () => {
  const { browser, sendLate, signIn } = await start()
  await sendLate('/send', { ...text, send_on: '' })
  const form = await signIn('/send', bobEmail)
  expect(form.path).toBe('/send')
  expect(form.text).not.toContain('&lt;with>')
  expect((await signIn('/send')).text).not.toContain('&lt;with>')
  expect(browser.cookies.has('smsrelay_input')).toBe(false)
})

test('the input is kept for 30 minutes', async () => {
  const { advanceTime, sendLate, signIn } = await start()
  await sendLate('/send', { ...text, send_on: '' })
  advanceTime(30 * 60_000)
  expect((await signIn('/send')).text).not.toContain('&lt;with>')
})

test('a table of 4 MiB is shown again', async () => {
  const { sendLate, signIn } = await start()
  const lines = Array.from({ length: 100_000 }, (_, n) => `+1202555${n},Text number ${n} of many`)
  const table = `number,message\n${lines.join('\n')}`
  const form = new FormData()
  form.set('file', new Blob([table]), 'list.csv')
  for (const [name, value] of Object.entries({ table: '', text: 'Hi', zone: 'UTC', send_on: '' }))
    form.set(name, value)
  expect((await sendLate('/send/many', form)).path).toBe('/login?next=%2Fsend%2Fmany&kept=1')
  const page = await signIn('/send/many')
  expect(page.text.includes(`>\n${table}</textarea>`), 'the table is in the form').toBe(true)
  expect(page.text).toContain('>\nHi</textarea>')
})

test('no password is kept, and the page says what was not sent if its form is gone', async () => {
  const { sendLate, signIn } = await start()
  const fields = { email: 'new@example.com', password }
  await sendLate('/settings/email', fields)
  const form = await signIn('/settings/email')
  expect(form.text).toContain('value="new@example.com"')
  expect(form.text).not.toContain(password)
  await sendLate('/messages/x/edit', { message: '<b>Gone' }, '/subscriptions')
  const page = await signIn('/subscriptions')
  expect(page.path).toBe('/subscriptions')
  expect(page.text).toContain('&lt;b>Gone')
  expect(page.text).not.toContain('<b>')
})

test('a button that was pressed after the session has no input to keep', async () => {
  const { client, sendLate, signIn } = await start()
  const { id } = await client.messages.create({ destination: number, message: 'Hello' })
  const path = `/messages/${id}`
  expect((await sendLate(`${path}/lock`, { status: 'N' }, path)).path).not.toContain('kept')
  const page = await signIn(path)
  expect(page.text).toContain(`action="${path}/lock"`)
  expect(page.text).not.toContain('The input that was not sent')
  const confirmPath = '/settings/keys/api'
  expect((await sendLate(confirmPath, { was: 'x', password })).path).not.toContain('kept')
})

test.each([
  ['without its proof', 'smsrelay_account', undefined],
  ['with the proof of another account', 'smsrelay_account', 'other'],
  ['that never existed', 'smsrelay_session', 'srt_invented'],
])('nothing is kept of a session %s', async (_, name, value) => {
  const { browser, bobBrowser, sendLate, signIn } = await start()
  const proof = bobBrowser.cookies.get('smsrelay_account') ?? ''
  const csrf = getHiddenField((await browser.get('/send')).text, 'csrf')
  browser.cookies.set(name, value === 'other' ? proof : (value ?? ''))
  expect((await sendLate('/send', { ...text, send_on: '', csrf })).path).toBe('/login')
  expect((await signIn('/send')).text).not.toContain('&lt;with>')
})

test('nothing is kept with another CSRF token, or after a person signed out', async () => {
  const { browser, sendLate, signIn } = await start()
  expect((await sendLate('/send', { ...text, send_on: '', csrf: 'x' })).path).toBe('/login')
  await signIn('/')
  const csrf = getHiddenField((await browser.get('/')).text, 'csrf')
  await browser.submit('/logout')
  expect((await browser.post('/send', { ...text, send_on: '', csrf })).path).toBe('/login')
  expect((await signIn('/send')).text).not.toContain('&lt;with>')
})

test('a body of a session that never existed is not read', async () => {
  const { url } = await start()
  const stranger = new Browser(url)
  stranger.cookies.set('smsrelay_session', 'srt_invented')
  stranger.cookies.set('smsrelay_account', 'x.y')
  const reply = await stranger.post('/send', { message: 'x'.repeat(5_000_000) })
  expect(reply.path).toBe('/login')
})
