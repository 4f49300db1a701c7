import { expect, test } from 'vitest'
import { createClockAt } from '../../../util/async/fake-clock.js'
import type { Browser } from '../browser.js'
import { getHiddenField } from '../browser.js'
import { allPayloads, expectNoMarkup } from '../hostile.js'
import { expectGuarded, openClient, startWithBrowsers } from '../signed-in.js'

const path = '/send/many'
const empty = { table: '', text: '', send_on: '', zone: 'UTC', encoding: 'utf-8' }
const numberOf = (n: number) => `+1202555${1000 + n}`

function multipart(fields: Record<string, string>, file?: string | Uint8Array): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob(file === undefined ? [] : [file as string]), file ? 'list.csv' : '')
  return form
}

async function world(settings = {}, overrides = {}) {
  const all = await startWithBrowsers(settings, overrides)
  const client = openClient(all.url, all.ann)
  const key = async (by = all.browser) => getHiddenField((await by.get(path)).text, 'key')
  /** Looks at a form, and returns the fields that send it. */
  const look = async (fields: Record<string, string>, by: Browser = all.browser) => {
    const form = { ...empty, key: await key(by), ...fields }
    const seen = await by.submit(path, multipart({ ...form, do: 'check' }))
    const checked = getHiddenField(seen.text, 'checked')
    return { seen, form: { ...form, checked, do: 'send' } }
  }
  const listed = async () => await client.messages.list({ filter: 'all', count: 100, order: 'asc' })
  return { ...all, client, key, look, listed }
}

const table = `number,name\n${numberOf(1)},Ann\n"${numberOf(2)}",Bob\n`
const text = 'Hello {name},\r\nsee you'

test('a table is looked at first, and then sent by the website', async () => {
  const { browser, look, listed } = await world()
  const send_on = '2100-01-01T01:00'
  const { seen, form } = await look({ table, text, send_on, zone: 'Europe/Berlin' })
  expect(seen.text).toContain('Nothing is sent yet.')
  expect(seen.text).toContain('Send 2 messages')
  expect(seen.text).toContain('Hello Ann,\nsee you')
  expect(await listed()).toEqual([])
  const sent = await browser.submit(path, multipart(form))
  expect(sent.path).toBe('/messages')
  expect(sent.text).toContain('2 messages are accepted.')
  const more = { source: 'website', send_on: '2100-01-01 00:00:00' }
  expect(await listed()).toMatchObject([
    { destination: numberOf(1), message: 'Hello Ann,\nsee you', ...more },
    { destination: numberOf(2), message: 'Hello Bob,\nsee you', ...more },
  ])
})

test('nothing is doubled: not by a double click, a reload, or after an end in the middle', async () => {
  const { browser, look, listed, key } = await world()
  const rows = (count: number) =>
    `to;message\n${Array.from({ length: count }, (_, n) => `${numberOf(n)};Hello ${n}`).join('\n')}`
  const same = await key()
  // What an end in the middle leaves: the first messages of the form are there, the others are not.
  const { form: begun } = await look({ table: rows(20), key: same })
  await browser.submit(path, multipart(begun))
  const { form } = await look({ table: rows(60), key: same })
  await Promise.all([1, 2, 3].map(() => browser.submit(path, multipart(form))))
  const again = await browser.submit(path, multipart(form))
  expect(again.text).toContain('60 messages are accepted.')
  const found = await listed()
  expect(found).toHaveLength(60)
  expect(new Set(found.map(({ destination }) => destination)).size).toBe(60)
  const { form: another } = await look({ table: rows(3) })
  await browser.submit(path, multipart(another))
  expect(await listed()).toHaveLength(63)
})

test('rows with problems are told by line, and left out only when that is ticked', async () => {
  const { browser, look, listed, relay } = await world()
  await relay.administration.addBlocked(numberOf(3))
  const wrong = `${table}nobody,Cy\n${numberOf(1)},Ann\n${numberOf(3)},Dan\n${numberOf(4)},\n`
  const { seen, form } = await look({ table: wrong, text })
  expect(seen.text).toContain('Send 3 messages')
  expect(seen.text).toMatch(/<td>4<\/td><td><span class="from">nobody<\/span><\/td><td>&#34;nobody/)
  expect(seen.text).toMatch(/<td>5<\/td>.*repeats line 2/)
  expect(seen.text).toMatch(/<td>7<\/td>.*the template needs name/)
  expect(seen.text).toContain('1, not sent to')
  const refused = await browser.submit(path, multipart(form))
  expect(refused.text).toContain('Nothing was sent: some rows have problems.')
  expect(await listed()).toEqual([])
  const sent = await browser.submit(path, multipart({ ...form, leave_out: 'true' }))
  expect(sent.text).toContain('2 messages are accepted. 1 more are to numbers')
  expect((await listed()).map(({ status }) => status)).toEqual(['N', 'N', 'B'])
})

test('what was not looked at is not sent', async () => {
  const { browser, look, listed } = await world()
  const { form } = await look({ table, text })
  const changes = [
    { text: 'Other {name}' },
    { table: `${table}${numberOf(3)},Cy` },
    { checked: '' },
  ]
  for (const change of changes) {
    const seen = await browser.submit(path, multipart({ ...form, ...change }))
    expect(seen.text).toContain('Nothing was sent yet: the form was changed.')
  }
  const uploaded = await browser.submit(path, multipart(form, `to,name\n${numberOf(9)},Eve\n`))
  expect(uploaded.text).toContain('Nothing was sent yet')
  expect(uploaded.text).toContain('Hello Eve')
  expect(await listed()).toEqual([])
  // What a file had can be sent without the file.
  const table_ = `to,name\r\n${numberOf(9)},Eve\r\n`
  const checked = getHiddenField(uploaded.text, 'checked')
  await browser.submit(path, multipart({ ...form, table: table_, checked }))
  expect(await listed()).toMatchObject([{ destination: numberOf(9) }])
})

test('a form is not sent when what it sent before may be forgotten', async () => {
  let at = Date.UTC(2030, 0, 1)
  const { browser, look, listed } = await world({}, { clock: createClockAt(() => at) })
  const { form } = await look({ table, text })
  at += 24 * 60 * 60 * 1000
  await browser.signIn()
  const old = await browser.submit(path, multipart(form))
  expect(old.text).toContain('this form is older than a day')
  expect(await listed()).toEqual([])
  const key = getHiddenField(old.text, 'key')
  expect(key).not.toBe(form.key)
  await browser.submit(path, multipart({ ...form, key }))
  expect(await listed()).toHaveLength(2)
})

test.each([
  ['no table', { text }, 'It must have a row below its first line'],
  ['no column for the number', { table: 'a,b\n1,2', text }, 'names no column destination'],
  ['no text', { table }, 'names no column message'],
  ['an unknown column', { table, text: 'Hello {nick}' }, 'wants {nick}, which is no column'],
  ['no such time', { table, text, send_on: '2030-02-30T00:00' }, 'It must be date, hour and'],
  ['an open quote', { table: `to,message\n${numberOf(1)},"x` }, 'a quote is opened and never'],
  ['too many rows', { table: `to\n${`${numberOf(1)}\n`.repeat(5001)}`, text: 'x' }, 'at most 5000'],
])('a table with %s is refused with a sentence, and kept', async (_, fields, sentence) => {
  const { look, defects } = await world()
  const { seen } = await look(fields)
  expect(seen.status).toBe(400)
  expect(seen.text).toContain(sentence)
  if ('table' in fields) expect(seen.text).toContain(fields.table.slice(0, 10))
  expect(defects).toEqual([])
})

test('no payload becomes markup, and forms need their token', async () => {
  const { browser, url, look, key, listed, defects } = await world()
  const hostile = `to,message,send_on\n${numberOf(1)},"${allPayloads.replaceAll('"', '""')}",\n"<img src=x onerror=1>",x,<svg>\n`
  const { seen, form } = await look({ table: hostile })
  expect(seen.text).toContain('&lt;img src=x onerror=1>')
  expectNoMarkup(seen.text)
  expectNoMarkup((await look({ table: allPayloads, text: allPayloads })).seen.text)
  expectNoMarkup((await look({ send_on: allPayloads, zone: allPayloads })).seen.text)
  const { checked: _, ...rest } = form
  expect((await browser.submit(path, multipart({ ...rest, key: allPayloads }))).status).toBe(400)
  await expectGuarded(browser, url, path, multipart({ ...form, leave_out: 'true' }))
  expect(await key()).not.toBe('')
  expect(await listed()).toEqual([])
  expect(defects).toEqual([])
})

test('a key of one account says nothing about those of another', async () => {
  const { browser, bob, look, url, bobs, listed } = await world()
  const { form } = await look({ table, text })
  await browser.submit(path, multipart(form))
  await bob.submit(path, multipart(form))
  expect(await listed()).toHaveLength(2)
  expect(await openClient(url, bobs).messages.list()).toHaveLength(2)
})

test('five thousand rows are sent by one form', async () => {
  const { browser, look } = await world()
  const lines = Array.from({ length: 5000 }, (_, n) => `+120255${String(50_000 + n)},Hello ${n} 😀`)
  const { form } = await look({ table: `to,message\n${lines.join('\n')}` })
  expect((await browser.submit(path, multipart(form))).text).toContain(
    '5000 messages are accepted.',
  )
}, 60_000)
