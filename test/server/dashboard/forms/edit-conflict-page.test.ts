import { expect, test } from 'vitest'
import { type Browser, getHiddenField, type PageReply } from '../browser.js'
import { openPhone, startWithBrowsers } from '../dashboard-relay.js'

const number = '+12025550123'

/** The form of an edit page as a person opens it, with other values. */
async function openForm(browser: Browser, path: string, fields: Record<string, string>) {
  const version = getHiddenField((await browser.get(path)).text, 'version')
  expect(version).not.toBe('')
  return { version, ...fields }
}

const listHiddenFields = ({ text }: PageReply): Record<string, string> => {
  const form = /<form [^>]*aria-label="Your version".*?<\/form>/s.exec(text)?.[0] ?? ''
  const found = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]))
}

async function startWithMessage() {
  const relay = await startWithBrowsers()
  const draft = { destination: number, message: 'Your order arrives on Monday.' }
  const { id } = await relay.client.messages.create({ ...draft, send_on: '2099-01-01 10:00:00' })
  const path = `/messages/${id}/edit`
  const fields = { destination: number, send_on: '2099-01-01T10:00', zone: 'UTC' }
  const open = async (message: string) =>
    await openForm(relay.browser, path, { ...fields, message })
  return { ...relay, id, path, open }
}

test('the second of two edits of a message is answered with both versions', async () => {
  const { browser, path, open, client, id } = await startWithMessage()
  const [first, second] = [
    await open('Your order arrives on Friday.'),
    await open('Your order arrives on Thursday.'),
  ]
  expect((await browser.submit(path, first)).notice?.kind).toBe('done')
  const conflict = await browser.submit(path, second)
  expect([conflict.status, conflict.notice?.kind]).toEqual([409, 'failed'])
  expect(conflict.text).toContain('Your order arrives on <mark>Friday.</mark>')
  expect(conflict.text).toContain('Your order arrives on <mark>Thursday.</mark>')
  expect((await client.messages.get(id)).message).toBe('Your order arrives on Friday.')
  const own = listHiddenFields(conflict)
  expect((await browser.post(path, own)).notice?.kind).toBe('done')
  expect((await client.messages.get(id)).message).toBe('Your order arrives on Thursday.')
})

test('a person edits the own version further, and saves it over the current one', async () => {
  const { browser, path, open, client, id } = await startWithMessage()
  const outdated = await open('Mine')
  await client.messages.edit(id, { message: 'Theirs' })
  const own = listHiddenFields(await browser.submit(path, outdated))
  const form = await browser.post(path, { ...own, choice: 'edit' })
  expect(form.status).toBe(200)
  expect(form.text).toContain('Mine</textarea>')
  expect((await client.messages.get(id)).message).toBe('Theirs')
  const version = getHiddenField(form.text, 'version')
  await browser.submit(path, { ...outdated, version, message: 'Mine, better' })
  expect((await client.messages.get(id)).message).toBe('Mine, better')
})

test('a form with an error still changes the version that it first showed', async () => {
  const { browser, path, open, client, id } = await startWithMessage()
  const form = await open('')
  await client.messages.edit(id, { message: 'Theirs' })
  const rejected = await browser.submit(path, form)
  expect(rejected.status).toBe(400)
  const version = getHiddenField(rejected.text, 'version')
  expect((await browser.submit(path, { ...form, version, message: 'Mine' })).status).toBe(409)
  expect((await client.messages.get(id)).message).toBe('Theirs')
})

test('an edit of a message that was sent in the meantime says so and saves nothing', async () => {
  const { browser, url, ann, client, path, open, id } = await startWithMessage()
  const form = await open('Too late')
  await openPhone(url, ann).messages.reportSuccess(id, { parts: 1 })
  const conflict = await browser.submit(path, form)
  expect(conflict.status).toBe(409)
  expect(conflict.notice?.text).toContain('has been sent in the meantime')
  expect(conflict.text).toContain('Too late')
  expect(listHiddenFields(conflict)).toEqual({})
  expect(await client.messages.get(id)).toMatchObject({ status: 'S' })
})

test('a failed attempt is no conflict', async () => {
  const { browser, url, ann, client, path, open, id } = await startWithMessage()
  const form = await open('Mine')
  await openPhone(url, ann).messages.reportFailure(id, { error_message: 'no network' })
  expect((await browser.submit(path, form)).notice?.kind).toBe('done')
  expect(await client.messages.get(id)).toMatchObject({ status: 'E', message: 'Mine' })
})

test('the second of two edits of a subscription shows both versions, no login', async () => {
  const { browser, client } = await startWithBrowsers()
  const url = 'http://user:secret@127.0.0.1:9/hook'
  const { id } = await client.subscriptions.create({ event: 'message.sent', url })
  const path = `/subscriptions/${id}/edit`
  const fields = {
    ...{ url: 'http://•••@127.0.0.1:9/mine', method: 'POST', post: 'true' },
    ...{ on_exhausted: 'pause', window: '1', retry_schedule: '' },
  }
  const form = await openForm(browser, path, fields)
  await client.subscriptions.edit(id, { event: 'message.sent', method: 'PUT' })
  const conflict = await browser.submit(path, form)
  expect(conflict.status).toBe(409)
  expect(conflict.text).toContain('<mark>PUT</mark>')
  expect(conflict.text).not.toContain('secret')
  const saved = await browser.post(path, listHiddenFields(conflict))
  expect(saved.notice?.kind).toBe('done')
  expect(await client.subscriptions.get(id)).toMatchObject({
    ...{ url: 'http://user:secret@127.0.0.1:9/mine', method: 'POST' },
  })
})

test('a masked login of another host than the current one shows both versions', async () => {
  const { browser, client } = await startWithBrowsers()
  const event = 'message.sent'
  const { id } = await client.subscriptions.create({ event, url: 'http://u:secret@127.0.0.1:9/' })
  const path = `/subscriptions/${id}/edit`
  const fields = { method: 'PUT', post: 'true', on_exhausted: 'pause', window: '1' }
  const url = 'http://•••@127.0.0.1:9/'
  const form = await openForm(browser, path, { url, ...fields, retry_schedule: '' })
  await client.subscriptions.edit(id, { event, url: 'http://v:private@127.0.0.1:10/' })
  const conflict = await browser.submit(path, form)
  expect(conflict.status).toBe(409)
  expect(conflict.text).not.toMatch(/secret|private/)
  const saved = await browser.post(path, listHiddenFields(conflict))
  expect([saved.status, saved.text.includes('Enter the login and password again')]).toEqual([
    400,
    true,
  ])
})

interface EditForm {
  readonly path: string
  /** A valid form, without the field that both change. */
  readonly fields: Readonly<Record<string, string>>
  readonly name: string
  readonly values: readonly [theirs: string, mine: string]
}

test('of two changes of anything else the second one shows both versions', async () => {
  const { browser, client, bob } = await startWithBrowsers()
  await client.contacts.create({ number, name: 'Ann' })
  const group = await client.groups.create('Team')
  const template = await client.templates.create({ name: 'Hi', text: 'Hi {name}' })
  const contact = `/contacts/${encodeURIComponent(number)}`
  const values = ['Theirs', 'Mine'] as const
  const forms: readonly EditForm[] = [
    { path: contact, fields: { number, groups: '', fields: '' }, name: 'name', values },
    { path: `/contacts/groups/${group.id}`, fields: {}, name: 'name', values },
    { path: `/templates/${template.id}`, fields: { name: 'Hi' }, name: 'text', values },
    { path: `/accounts/${bob.id}/limits`, fields: {}, name: 'subscriptions', values: ['11', '12'] },
  ]
  for (const { path, fields, name, values: both } of forms) {
    const [theirs, mine] = await Promise.all(
      both.map(value => openForm(browser, path, { ...fields, [name]: value })),
    )
    expect((await browser.submit(path, theirs ?? {})).notice?.kind, path).toBe('done')
    const conflict = await browser.submit(path, mine ?? {})
    expect(conflict.status, path).toBe(409)
    for (const value of both) expect(conflict.text, path).toContain(`<mark>${value}</mark>`)
    expect((await browser.get(path)).text, path).toContain(both[0])
    const saved = await browser.post(path, listHiddenFields(conflict))
    expect(saved.notice?.kind, path).toBe('done')
    expect((await browser.get(path)).text, path).toContain(both[1])
  }
})

test('of two changes of the settings the second one shows both versions', async () => {
  const { browser, administration } = await startWithBrowsers()
  const fields = {
    country: 'FR',
    mode: 'at-least-once',
    help_text: '<b>',
    stop_text: '',
    alerts: '',
  }
  const form = await openForm(browser, '/settings', fields)
  await administration.changeAccount('ann@example.com', { country: 'DE' })
  const conflict = await browser.submit('/settings', form)
  expect(conflict.status).toBe(409)
  expect(conflict.text).toContain('<mark>DE</mark>')
  expect(conflict.text).toContain('<mark>&lt;b></mark>')
  expect(await administration.showAccount('ann@example.com')).toMatchObject({ country: 'DE' })
})

test('a button says what happened to its message meanwhile, and changes nothing', async () => {
  const { browser, url, ann, client, id } = await startWithMessage()
  const page = `/messages/${id}`
  const status = getHiddenField((await browser.get(page)).text, 'status')
  expect(status).toBe('N')
  await openPhone(url, ann).messages.reportSuccess(id, { parts: 1 })
  for (const action of ['lock', 'delete']) {
    const reply = await browser.submit(`${page}/${action}`, { status })
    expect(reply).toMatchObject({ path: page, notice: { kind: 'failed' } })
    expect(reply.text).toContain('has been sent in the meantime. Nothing was changed.')
  }
  expect(await client.messages.get(id)).toMatchObject({ status: 'S' })
  await browser.submit(`${page}/delete`, { status: 'S' })
  await expect(client.messages.get(id)).rejects.toMatchObject({ code: 'not_a_message' })
})
