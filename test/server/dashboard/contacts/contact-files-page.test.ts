import { expect, test } from 'vitest'
import { getHiddenField, readRows } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

const path = '/contacts'
const number = '+12025550123'
const formatPath = (each: string) => `${path}/${encodeURIComponent(each)}`

const rows =
  'Name;Phone;Groups;Note\r\n"محمد 😀";+12025550123;VIP;"Line 1\r\nLine ""2"""\r\n' +
  '=1+1;(202) 555-0124;@x;-cmd\r\n'
const utf16Mark = Buffer.from([0xff, 0xfe])

test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(rows)],
  ['UTF-8 with a byte order mark', Buffer.from(`\u{feff}${rows}`)],
  ['Unicode text', Buffer.concat([utf16Mark, Buffer.from(rows.replaceAll(';', '\t'), 'utf16le')])],
])('a file that Excel saves as %s is imported, exported and unchanged', async (_, content) => {
  const { browser, bobBrowser } = await startWithBrowsers()
  const importFile = async (file: string | Uint8Array<ArrayBuffer>, by = browser) => {
    const form = new FormData()
    form.set('file', new Blob([file]), 'contacts.csv')
    return (await by.submit(`${path}/import`, form)).notice?.text
  }
  expect(await importFile(new Uint8Array(content))).toContain('2 contacts added')
  const exported = (await browser.get(`${path}/export`)).text
  expect(exported).toBe(
    "number,name,groups,note\r\n+12025550124,'=1+1,'@x,'-cmd\r\n" +
      '+12025550123,محمد 😀,VIP,"Line 1\nLine ""2"""\r\n',
  )
  expect(await importFile(exported)).toContain('0 contacts added, 0 changed, 2 unchanged.')
  expect(await importFile(exported, bobBrowser)).toContain('2 contacts added')
  expect((await bobBrowser.get(`${path}/export`)).text).toBe(exported)
})

test.each([
  ['name,city\nAnn,Berlin', 'no column number'],
  ['number,phone\n1,2', 'Several columns'],
  ['number,city,City\n1,a,b', 'two columns'],
  ['number,message\n1,a', 'reserved'],
  ['number,__proto__\n1,a', 'reserved'],
  ['number\n', 'must have a contact'],
])('a file %j is refused', async (content, reason) => {
  const { browser } = await startWithBrowsers()
  const page = await browser.submit(`${path}/import`, { table: content })
  expect(page.status).toBe(400)
  expect(page.text).toContain(reason)
})

test('a field can have the name of a property of objects', async () => {
  const { browser } = await startWithBrowsers()
  const table = 'number,name,groups,constructor\r\n+12025550123,Ann,,Eve\r\n+12025550124,Bob,,\r\n'
  await browser.submit(`${path}/import`, { table })
  expect((await browser.get(`${path}/export`)).text).toBe(table)
  const text = 'Built by {constructor|nobody}'
  const { text: shown } = await browser.submit('/templates', { name: 'Built', text })
  expect(readRows(shown).map(([, preview]) => preview)).toEqual(['Built by Eve', 'Built by nobody'])
})

test('a field with several lines is edited as it is', async () => {
  const { browser, client } = await startWithBrowsers()
  const fields = { address: '1 Main St\n\nUnit: 2\n   Springfield', city: 'Köln' }
  await client.contacts.create({ number, name: 'Ann', fields })
  const { text } = await browser.get(formatPath(number))
  const shown = /<textarea[^>]*name="fields"[^>]*>\n([^<]*)</.exec(text)?.[1] ?? ''
  expect(shown.split('\n')).toHaveLength(5)
  const saved = await browser.submit(formatPath(number), { number, name: 'Anna', fields: shown })
  expect(saved.errors).toEqual({})
  expect(await client.contacts.get(number)).toMatchObject({ name: 'Anna', fields })
  const form = { number, name: 'Ann', fields: ' city: Bonn\n\n\n\tam Rhein\n \nzip: 5' }
  await browser.submit(formatPath(number), form)
  const changed = { city: 'Bonn\nam Rhein', zip: '5' }
  expect(await client.contacts.get(number)).toMatchObject({ fields: changed })
})

test('two fields with one name are an error, and both stay in the form', async () => {
  const { browser } = await startWithBrowsers()
  const form = { number, name: 'Ann', fields: 'city: Köln\nCity: Bonn' }
  const refused = await browser.submit(path, form)
  expect(refused.errors).toEqual({ fields: 'The field city is there twice.' })
  expect(refused.text).toContain(form.fields)
})

test('downloaded files begin with the mark by which spreadsheets recognize UTF-8', async () => {
  const { browser, url } = await startWithBrowsers()
  const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
  for (const file of [
    '/contacts/export',
    '/do-not-text/export',
    '/messages.csv',
    '/statistics.csv',
    '/audit.csv',
  ]) {
    const reply = await fetch(`${url}${file}`, { headers: { Cookie: cookie } })
    const begin = Buffer.from(await reply.arrayBuffer()).subarray(0, 5)
    expect(begin.toString(), file).toMatch(/^\u{feff}[a-z]{2}/u)
  }
})

test('a contact of a group with 5,000 others is found, and the file has all of them', async () => {
  const { browser, client } = await startWithBrowsers()
  const numbers = Array.from({ length: 5000 }, (_, at) => `+1202556${String(at).padStart(4, '0')}`)
  const lines = numbers.map((each, at) => `${each},Name ${at},Group ${at % 20}`)
  const table = ['number,name,groups', ...lines].join('\n')
  const imported = await browser.submit(`${path}/import`, { table })
  expect(imported.notice?.text).toContain('5000 contacts added')
  expect(readRows((await browser.get(`${path}?q=Name+4999`)).text)).toEqual([
    ['Name 4999', '+12025564999', 'Group 19', ''],
  ])
  expect((await browser.get(`${path}/export`)).text.split('\r\n')).toHaveLength(5002)
  const groups = readRows((await browser.get(`${path}/groups`)).text)
  expect(groups.map(row => row[1])).toEqual(Array.from({ length: 20 }, () => '250 contacts'))
  expect(await client.groups.list()).toHaveLength(20)
})

test('a text to a group without contacts is refused at its field', async () => {
  const { browser, client } = await startWithBrowsers()
  const { id } = await client.groups.create({ name: 'Empty' })
  const batch = getHiddenField((await browser.get('/send/contacts')).text, 'batch')
  const form = { to: id, template: '', text: 'Hello', numbers: '', send_on: '', zone: 'UTC', batch }
  const refused = await browser.submit('/send/contacts', { ...form, do: 'check' })
  expect(refused.errors).toEqual({ to: 'It has no contact.' })
})
