import { expect, test } from 'vitest'
import { type Browser, getHiddenField, readRows } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

const path = '/send/many'
const emptyForm = { table: '', text: '', send_on: '', zone: 'UTC', encoding: 'utf-8' }
const createNumber = (n: number) => `+1202555${1000 + n}`

function toFormData(fields: Record<string, string>, file?: string): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob(file === undefined ? [] : [file]), file ? 'list.csv' : '')
  return form
}

async function start(overrides = {}) {
  const relay = await startWithBrowsers({}, overrides)
  const { client } = relay
  const loadBatch = async (browser = relay.browser) =>
    getHiddenField((await browser.get(path)).text, 'batch')
  /** Posts a form for checking, and returns the fields that send it. */
  const check = async (fields: Record<string, string>, browser: Browser = relay.browser) => {
    const form = { ...emptyForm, batch: await loadBatch(browser), ...fields }
    const page = await browser.submit(path, toFormData({ ...form, do: 'check' }))
    const checked = getHiddenField(page.text, 'checked')
    return { page, form: { ...form, checked, do: 'send' } }
  }
  const send = async (fields: Record<string, string>, file?: string) =>
    await relay.browser.submit(path, toFormData(fields, file))
  const listMessages = async () =>
    await client.messages.list({ filter: 'all', count: 100, order: 'asc' })
  return { ...relay, loadBatch, check, send, listMessages }
}

const table = `number,name\n${createNumber(1)},Ann\n"${createNumber(2)}",Bob\n`
const text = 'Hello {name},\r\nsee you'

test('a table is checked first and then sent', async () => {
  const { check, send, listMessages } = await start()
  const send_on = '2100-01-01T01:00'
  const { page, form } = await check({ table, text, send_on, zone: 'Europe/Berlin' })
  expect(page.text).toContain('Hello Ann,\nsee you')
  expect(await listMessages()).toEqual([])
  const sent = await send(form)
  expect(sent).toMatchObject({ path: '/messages', notice: { kind: 'done' } })
  expect(sent.notice?.text).toContain('2')
  const common = { source: 'website', send_on: '2100-01-01 00:00:00' }
  expect(await listMessages()).toMatchObject([
    { destination: createNumber(1), message: 'Hello Ann,\nsee you', ...common },
    { destination: createNumber(2), message: 'Hello Bob,\nsee you', ...common },
  ])
})

test('no message is sent twice by a double click, a reload or a retry after a crash', async () => {
  const { check, send, listMessages, loadBatch } = await start()
  const createRows = (count: number) => {
    const rows = Array.from({ length: count }, (_, n) => `${createNumber(n)};Hi ${n}`)
    return ['to;message', ...rows].join('\n')
  }
  const batch = await loadBatch()
  // After a crash, only the first messages of a form exist.
  const { form: partial } = await check({ table: createRows(20), batch })
  await send(partial)
  const { form } = await check({ table: createRows(60), batch })
  await Promise.all([1, 2, 3].map(() => send(form)))
  expect((await send(form)).notice).toMatchObject({ kind: 'done' })
  const sent = await listMessages()
  expect(sent).toHaveLength(60)
  expect(new Set(sent.map(({ destination }) => destination)).size).toBe(60)
  const { form: another } = await check({ table: createRows(3) })
  await send(another)
  expect(await listMessages()).toHaveLength(63)
})

test('invalid rows are listed by line and skipped only on request', async () => {
  const { check, send, listMessages, administration } = await start()
  await administration.addDoNotText(createNumber(3))
  const rows = `nobody,Cy\n${createNumber(1)},Ann\n${createNumber(3)},Dan\n${createNumber(4)},\n`
  const { page, form } = await check({ table: table + rows, text })
  const cells = readRows(page.text)
  expect(page.text).toContain('class="name" data-name="Line">')
  expect(cells.find(([line]) => line === '4')?.[1]).toBe('nobody')
  expect(cells.find(([line]) => line === '5')?.[2]).toMatch(/line 2/)
  expect(cells.find(([line]) => line === '7')?.[2]).toMatch(/name/)
  const rejected = await send(form)
  expect([rejected.status, rejected.notice?.kind]).toEqual([400, 'failed'])
  expect(await listMessages()).toEqual([])
  const sent = await send({ ...form, leave_out: 'true' })
  expect(sent.notice?.text.match(/\d+/g)).toEqual(['2', '1'])
  expect((await listMessages()).map(({ status }) => status)).toEqual(['N', 'N', 'B'])
})

test('a form that changed since it was checked is not sent', async () => {
  const { check, send, listMessages } = await start()
  const { form } = await check({ table, text })
  for (const change of [
    { text: 'Other {name}' },
    { table: `${table}${createNumber(3)},Cy` },
    { checked: '' },
  ])
    expect((await send({ ...form, ...change })).status).toBe(400)
  const uploaded = await send(form, `to,name\n${createNumber(9)},Eve\n`)
  expect(uploaded.status).toBe(400)
  expect(uploaded.text).toContain('Hello Eve')
  expect(await listMessages()).toEqual([])
  // The reply contains the table of the file, so the file need not be uploaded again.
  const checked = getHiddenField(uploaded.text, 'checked')
  await send({ ...form, table: `to,name\r\n${createNumber(9)},Eve\r\n`, checked })
  expect(await listMessages()).toMatchObject([{ destination: createNumber(9) }])
})

test('a form that is older than a day must be checked again', async () => {
  let now = Date.UTC(2030, 0, 1)
  const { openBrowser, check, listMessages } = await start({ now: () => now })
  const { form } = await check({ table, text })
  now += 24 * 60 * 60 * 1000
  const browser = await openBrowser()
  const expired = await browser.submit(path, toFormData(form))
  expect(expired.status).toBe(400)
  expect(await listMessages()).toEqual([])
  const batch = getHiddenField(expired.text, 'batch')
  expect(batch).not.toBe(form.batch)
  await browser.submit(path, toFormData({ ...form, batch }))
  expect(await listMessages()).toHaveLength(2)
})

test.each([
  ['no table', { text }, 'line'],
  ['no column for the number', { table: 'a,b\n1,2', text }, 'destination'],
  ['no text', { table }, 'message'],
  ['an unknown column', { table, text: 'Hello {nick}' }, '{nick}'],
  ['an invalid time', { table, text, send_on: '2030-02-30T00:00' }, 'hour'],
  ['an open quote', { table: `to,message\n${createNumber(1)},"x` }, 'quote'],
  ['too many rows', { table: `to\n${`${createNumber(1)}\n`.repeat(5001)}`, text: 'x' }, '5000'],
])('a form with %s is rejected and keeps its values', async (_, fields, named) => {
  const { check, defects } = await start()
  const { page } = await check(fields)
  expect(page.status).toBe(400)
  expect([page.notice?.text, ...Object.values(page.errors)].join()).toContain(named)
  if ('table' in fields) expect(page.text).toContain(fields.table.slice(0, 10))
  expect(defects).toEqual([])
})

test('one form sends 5000 rows', async () => {
  const { check, send } = await start()
  const lines = Array.from({ length: 5000 }, (_, n) => `+120255${String(50_000 + n)},Hello ${n} 😀`)
  const { form } = await check({ table: `to,message\n${lines.join('\n')}` })
  expect((await send(form)).notice).toMatchObject({
    kind: 'done',
    text: expect.stringContaining('5000'),
  })
})

test('the check marks rows that are not sent, and a number in two rows', async () => {
  const { check, client } = await start()
  await client.doNotText.add(createNumber(2))
  const rows = [1, 2, 3, 1].map((n, at) => `${createNumber(n)},Guest ${at}`)
  const { page } = await check({ table: ['number,name', ...rows].join('\n'), text: 'Hi {name}' })
  expect(page.text).toContain('Send 3 messages')
  expect(page.text).toMatch(/Not sent: on the Do Not Text list.*Hi Guest 1/s)
  expect(page.text).toContain(`${createNumber(1)} is also in line 2`)
})
