import { expect, test } from 'vitest'
import { countRows, getHiddenField, readRows } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

const number = '+12025550123'
const path = '/contacts'
const formatPath = (each: string) => `${path}/${encodeURIComponent(each)}`

function createImportForm(content: string, fields: Record<string, string> = {}) {
  const form = new FormData()
  form.set('file', new Blob([content]), 'contacts.csv')
  form.set('encoding', 'utf-8')
  form.set('table', '')
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const file =
  'Name;Phone;Groups;City\nAnn;+12025550123;Customers, Team;Berlin\n' +
  'Bob;(202) 555-0124;Customers;\n;+12025550125;;Paris\n'

type Relay = Awaited<ReturnType<typeof startWithBrowsers>>

/** The link to send to a group, by the name of the group. */
async function findGroup({ browser }: Relay, name: string): Promise<string> {
  const { text } = await browser.get(`${path}/groups`)
  return (
    new RegExp(`href="/contacts/groups/([\\w-]+)" aria-label="Rename ${name}"`).exec(text)?.[1] ??
    ''
  )
}

test('a contact is added, shown where its number is, changed and deleted', async () => {
  const { browser, client } = await startWithBrowsers()
  const message = await client.messages.create({ destination: number, message: 'hello' })
  const form = { number: '(202) 555-0123', name: 'Ann', groups: 'Team', fields: 'City: Berlin' }
  const added = await browser.submit(path, form)
  expect(added).toMatchObject({ path, notice: { kind: 'done' } })
  expect(added.notice?.text).toContain('Ann is added.')
  expect(readRows(added.text)).toEqual([['Ann', number, 'Team', 'city: Berlin']])
  for (const page of ['/messages', `/messages/${message.id}`, '/conversations'])
    expect((await browser.get(page)).text, page).toContain('Ann')
  const conversation = `/conversations/${encodeURIComponent(number)}`
  expect((await browser.get(conversation)).text).toContain('<h1 id="with" dir="auto">Ann</h1>')
  expect((await browser.get('/conversations?q=aNN')).text).toContain('hello')
  const again = await browser.submit(path, { ...form, name: 'Other' })
  expect(again.errors.number).toContain('has a contact already')
  const changes = { number: '+12025550199', name: 'Änne', groups: '', fields: 'a b: c: d' }
  const saved = await browser.submit(formatPath(number), changes)
  expect(saved).toMatchObject({ path: formatPath('+12025550199'), notice: { kind: 'done' } })
  const list = await browser.get(path)
  expect(readRows(list.text)).toEqual([['Änne', '+12025550199', '', 'a b: c: d']])
  const deleted = await browser.submit(`${formatPath('+12025550199')}/delete`)
  expect(deleted.notice?.kind).toBe('done')
  expect(countRows((await browser.get(path)).text)).toBe(0)
  expect((await browser.get(formatPath(number))).status).toBe(404)
})

test.each([
  [{ number: '12' }, 'number'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ fields: 'no colon' }, 'fields'],
  [{ fields: 'to: x' }, 'fields'],
  [{ fields: 'a{b: x' }, 'fields'],
  [{ fields: '__proto__: x' }, 'fields'],
  [{ groups: 'x'.repeat(101) }, 'groups'],
])('a contact with %j is rejected at its field, and the input stays', async (wrong, field) => {
  const { browser } = await startWithBrowsers()
  const form = { number, name: 'Ann', groups: '', fields: 'city: Köln', ...wrong }
  const page = await browser.submit(path, form)
  expect(page.status).toBe(400)
  expect(Object.keys(page.errors)).toEqual([field])
  expect(page.text).toContain(form.fields)
  expect(countRows((await browser.get(path)).text)).toBe(0)
})

test('a file adds and changes contacts, all or none of them, and is exported again', async () => {
  const { browser, bobBrowser } = await startWithBrowsers()
  await browser.submit(path, { number, name: 'Old', groups: 'VIP', fields: 'age: 7' })
  const wrong = await browser.submit(`${path}/import`, createImportForm(`${file}Cy;nobody;;\n`))
  expect(wrong.status).toBe(400)
  expect(readRows(wrong.text)[0]?.[0]).toBe('5')
  expect(countRows((await browser.get(path)).text)).toBe(1)
  const skip = createImportForm(`${file}Cy;nobody;;\n`, { skip_invalid: 'true' })
  const imported = await browser.submit(`${path}/import`, skip)
  expect(imported.notice?.text).toContain(
    '2 contacts added, 1 changed, 0 unchanged. 1 line skipped.',
  )
  const same = await browser.submit(`${path}/import`, createImportForm(file))
  expect(same.notice?.text).toContain('0 contacts added, 0 changed, 3 unchanged.')
  const exported = await browser.get(`${path}/export`)
  expect(exported.text).toBe(
    'number,name,groups,age,city\r\n+12025550125,,,,Paris\r\n' +
      '+12025550123,Ann,VIP; Customers; Team,7,Berlin\r\n+12025550124,Bob,Customers,,\r\n',
  )
  const copied = await bobBrowser.submit(`${path}/import`, createImportForm(exported.text))
  expect(copied.notice?.text).toContain('3 contacts added, 0 changed, 0 unchanged.')
  expect((await bobBrowser.get(`${path}/export`)).text).toBe(exported.text)
  expect(countRows((await browser.get(`${path}?q=BÖB`)).text)).toBe(1)
  expect(countRows((await browser.get(`${path}?q=555-012`)).text)).toBe(3)
})

test('a group is created, renamed and deleted; its members stay', async () => {
  const relay = await startWithBrowsers()
  const { browser, bobBrowser } = relay
  await browser.submit(`${path}/import`, createImportForm(file))
  expect((await browser.submit(`${path}/groups`, { name: 'Empty' })).notice?.kind).toBe('done')
  const list = readRows((await browser.get(`${path}/groups`)).text).map(row => row.slice(0, 2))
  expect(list).toEqual([
    ['Customers', '2 contacts'],
    ['Empty', '0 contacts'],
    ['Team', '1 contact'],
  ])
  for (const name of ['CUSTOMERS', '', 'a,b']) {
    const refused = await browser.submit(`${path}/groups`, { name })
    expect(Object.keys(refused.errors), name).toEqual(['name'])
  }
  const id = await findGroup(relay, 'Customers')
  expect(countRows((await browser.get(`${path}?group=${id}`)).text)).toBe(2)
  await browser.submit(`${path}/groups/${id}`, { name: 'Clients' })
  const groups = readRows((await browser.get(path)).text).map(row => row[2])
  expect(groups).toEqual(['', 'Clients, Team', 'Clients'])
  expect((await bobBrowser.get(`${path}/groups/${id}`)).status).toBe(404)
  await bobBrowser.submit(`${path}/groups/${id}/delete`)
  expect(await findGroup(relay, 'Clients')).toBe(id)
  await browser.submit(`${path}/groups/${id}/delete`)
  expect(readRows((await browser.get(path)).text).map(row => row[2])).toEqual(['', 'Team', ''])
})

test('a template is checked, previewed with contacts, changed and deleted', async () => {
  const { browser } = await startWithBrowsers()
  await browser.submit(`${path}/import`, createImportForm(file))
  const wrong = await browser.submit('/templates', { name: 'Hi', text: 'Hi {name' })
  expect(Object.keys(wrong.errors)).toEqual(['text'])
  const text = 'Hi {nick|name|you}, from {City}'
  const created = await browser.submit('/templates', { name: 'Hi', text })
  expect(created.notice?.kind).toBe('done')
  expect(readRows(created.text)).toEqual([
    ['+12025550125', 'Hi you, from Paris', '1'],
    ['Ann', 'Hi Ann, from Berlin', '1'],
    ['Bob', 'the template needs City, which is empty here', ''],
  ])
  expect((await browser.submit('/templates', { name: 'hi', text })).errors.name).toContain('taken')
  const saved = await browser.submit(created.path, { name: 'Hello', text: 'Hello' })
  expect(saved.notice?.kind).toBe('done')
  await browser.submit(`${created.path}/delete`)
  expect((await browser.get(created.path)).status).toBe(404)
})

test('a text goes once to each member of a group, after a preview', async () => {
  const relay = await startWithBrowsers()
  const { browser, client } = relay
  await browser.submit(`${path}/import`, createImportForm(file))
  await browser.submit('/templates', { name: 'Hi', text: 'Hi {name}' })
  await client.doNotText.add('+12025550124')
  const send = '/send/contacts'
  const to = await findGroup(relay, 'Customers')
  const { text } = await browser.get(`${send}?group=${to}`)
  const template = /<option value="([\w-]+)">Hi</.exec(text)?.[1] ?? ''
  const form = { to, template, text: '', numbers: '', send_on: '', zone: 'UTC' }
  const batch = getHiddenField(text, 'batch')
  const checked = await browser.submit(send, { ...form, batch, do: 'check' })
  expect(checked.text).toContain('On the Do Not Text list (not sent)')
  expect(readRows(checked.text).map(row => row.slice(0, 3))).toEqual([
    ['+12025550124', 'Hi Bob', '1'],
    [number, 'Hi Ann', '1'],
  ])
  const confirmed = {
    ...{ ...form, template: '', text: 'Hi {name}', batch, do: 'send' },
    checked: getHiddenField(checked.text, 'checked'),
  }
  await browser.submit(path, { number: '+12025550126', name: 'Dan', groups: 'Customers' })
  const outdated = await browser.submit(send, confirmed)
  expect(outdated.status).toBe(400)
  expect(outdated.text).toContain('the form has changed')
  const again = { ...confirmed, checked: getHiddenField(outdated.text, 'checked') }
  await Promise.all([1, 2, 3].map(() => browser.submit(send, again)))
  const messages = await client.messages.list({ filter: 'all', count: 100 })
  expect(messages.map(each => `${each.message} ${each.status}`).sort()).toEqual([
    'Hi Ann N',
    'Hi Bob B',
    'Hi Dan N',
  ])
})

test('chosen contacts get a text, and a group of another account is not found', async () => {
  const { browser, bobBrowser, client } = await startWithBrowsers()
  await browser.submit(`${path}/import`, createImportForm(file))
  const query = new URLSearchParams([
    ['number', number],
    ['number', '+12025550125'],
  ])
  const send = '/send/contacts'
  const page = await browser.get(`${send}?${query}`)
  expect(page.text).toContain('2 chosen contacts')
  const form = {
    ...{ to: 'chosen', numbers: getHiddenField(page.text, 'numbers'), template: '' },
    ...{ text: 'Hi {name|you}', send_on: '', zone: 'UTC' },
    batch: getHiddenField(page.text, 'batch'),
  }
  const checked = await browser.submit(send, { ...form, do: 'check' })
  const hash = getHiddenField(checked.text, 'checked')
  await browser.submit(send, { ...form, checked: hash, do: 'send' })
  const sent = await client.messages.list({ filter: 'all', count: 100 })
  expect(sent.map(({ message }) => message).sort()).toEqual(['Hi Ann', 'Hi you'])
  const batch = getHiddenField((await bobBrowser.get(send)).text, 'batch')
  for (const wrong of [{ to: 'none' }, { to: '' }, { text: ' ' }, { text: '{' }]) {
    const refused = await bobBrowser.submit(send, { ...form, batch, ...wrong, do: 'check' })
    expect(refused.status, JSON.stringify(wrong)).toBeGreaterThanOrEqual(400)
  }
})
