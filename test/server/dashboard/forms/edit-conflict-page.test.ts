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

/** The input that a 409 page shows at its end. */
const findInput = ({ text }: PageReply): string => text.slice(text.indexOf('Your input</h2>'))

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

test('the second of two edits of a message shows the form as it is now and the input', async () => {
  const { browser, path, open, client, id } = await startWithMessage()
  const [first, second] = [
    await open('Your order arrives on Friday.'),
    await open('It arrives on <Thursday>.'),
  ]
  expect((await browser.submit(path, first)).notice?.kind).toBe('done')
  const changed = await browser.submit(path, second)
  expect([changed.status, changed.notice?.kind]).toEqual([409, 'failed'])
  expect(changed.notice?.text).toContain('has been changed in the meantime. Your changes are not')
  expect(changed.text).toContain('Your order arrives on Friday.</textarea>')
  expect(findInput(changed)).toContain('It arrives on &lt;Thursday>.')
  expect((await client.messages.get(id)).message).toBe('Your order arrives on Friday.')
  const version = getHiddenField(changed.text, 'version')
  expect((await browser.submit(path, { ...second, version })).notice?.kind).toBe('done')
  expect((await client.messages.get(id)).message).toBe('It arrives on <Thursday>.')
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
  expect(findInput(conflict)).toContain('Too late')
  expect(conflict.text).not.toContain('name="version"')
  expect(await client.messages.get(id)).toMatchObject({ status: 'S' })
})

test('a failed attempt is no conflict', async () => {
  const { browser, url, ann, client, path, open, id } = await startWithMessage()
  const form = await open('Mine')
  await openPhone(url, ann).messages.reportFailure(id, { error_message: 'no network' })
  expect((await browser.submit(path, form)).notice?.kind).toBe('done')
  expect(await client.messages.get(id)).toMatchObject({ status: 'E', message: 'Mine' })
})

test('an outdated form of a subscription shows no login', async () => {
  const { browser, client } = await startWithBrowsers()
  const event = 'message.sent'
  const { id } = await client.subscriptions.create({ event, url: 'http://u:secret@127.0.0.1:9/' })
  const path = `/subscriptions/${id}/edit`
  const fields = { method: 'PUT', post: 'true', on_exhausted: 'pause', window: '1' }
  const masked = 'http://•••@127.0.0.1:9/mine'
  const form = await openForm(browser, path, { ...fields, url: masked, retry_schedule: '' })
  await client.subscriptions.edit(id, { event, url: 'http://v:private@127.0.0.1:10/' })
  for (const url of [masked, 'http://new:hidden@127.0.0.1:9/mine']) {
    const changed = await browser.submit(path, { ...form, url })
    expect(changed.status).toBe(409)
    expect(changed.text).toContain('value="http://•••@127.0.0.1:10/"')
    expect(findInput(changed)).toContain(masked)
    expect(changed.text).not.toMatch(/secret|private|hidden@/)
    const version = getHiddenField(changed.text, 'version')
    const saved = await browser.submit(path, { ...form, version })
    expect(saved.text).toContain('Enter the login and password again')
  }
  expect(await client.subscriptions.get(id)).toMatchObject({
    url: 'http://v:private@127.0.0.1:10/',
  })
})

interface EditForm {
  readonly path: string
  /** A valid form, without the field that both change. */
  readonly fields: Readonly<Record<string, string>>
  readonly name: string
  readonly values: readonly [theirs: string, mine: string]
}

test('of two changes of anything else the second one changes nothing', async () => {
  const { browser, client, bob } = await startWithBrowsers()
  await client.contacts.create({ number, name: 'Ann' })
  const group = await client.groups.create({ name: 'Team' })
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
    expect(findInput(conflict), path).toContain(both[1])
    expect((await browser.get(path)).text, path).toContain(both[0])
    const version = getHiddenField(conflict.text, 'version')
    const saved = await browser.submit(path, { ...mine, version })
    expect(saved.notice?.kind, path).toBe('done')
    expect((await browser.get(path)).text, path).toContain(both[1])
  }
})

test('of two changes of the settings the second one changes nothing', async () => {
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
  expect(conflict.text).toContain('value="DE"')
  expect(findInput(conflict)).toContain('&lt;b>')
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
