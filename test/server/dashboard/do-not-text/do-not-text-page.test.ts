import { expect, test } from 'vitest'
import { countRows, findPageLink, readRows } from '../browser.js'
import { annEmail, openClient, startRelay, startWithBrowsers } from '../dashboard-relay.js'

const number = '+12025550123'
const path = '/do-not-text'

function createImportForm(content: string | Uint8Array, fields: Record<string, string> = {}) {
  const form = new FormData()
  form.set('file', new Blob([content as string]), 'list.csv')
  form.set('encoding', 'utf-8')
  form.set('table', '')
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

test('a number is added with person and note, and removed', async () => {
  const { browser, client } = await startWithBrowsers()
  const added = await browser.submit(path, { number: '+1 202 555 0123', note: 'asked by phone' })
  expect(added.path).toBe(path)
  expect(added.notice).toMatchObject({ kind: 'done', text: expect.stringContaining(number) })
  expect(await client.doNotText.list()).toMatchObject([
    { number, reason: 'person', by: annEmail, note: 'asked by phone' },
  ])
  expect(added.text).toContain(annEmail)
  expect(added.text).toContain('asked by phone')
  const again = await browser.submit(path, { number, note: 'other' })
  expect(again.notice?.kind).toBe('done')
  expect(await client.doNotText.list()).toMatchObject([{ number, note: 'asked by phone' }])
  const removed = await browser.submit(`${path}/remove`, { number })
  expect(removed.notice).toMatchObject({ kind: 'done', text: expect.stringContaining(number) })
  expect(await client.doNotText.list()).toEqual([])
})

test('an empty list differs from a search that finds nothing', async () => {
  const { openBrowser } = await startRelay()
  const browser = await openBrowser()
  expect((await browser.get('/do-not-text')).text).toContain('No numbers yet')
  expect((await browser.get('/do-not-text?q=1')).text).toContain('No matching numbers')
})

test('the list says which kind of key added a number', async () => {
  const { browser, client } = await startWithBrowsers()
  await client.doNotText.add('+12025550187')
  const { text } = await browser.get('/do-not-text')
  expect(text).toContain('>API key<')
  expect(text).not.toContain('api key')
})

test('an invalid entry is reported at its field, and the form keeps its values', async () => {
  const { browser, client } = await startWithBrowsers()
  const invalid = await browser.submit(path, { number: '12', note: 'my note' })
  expect(invalid.status).toBe(400)
  expect(Object.keys(invalid.errors)).toEqual(['number'])
  expect(invalid.text).toContain('value="my note"')
  const long = await browser.submit(path, { number, note: 'x'.repeat(201) })
  expect(long.errors).toEqual({ note: expect.stringContaining('200') })
  const empty = await browser.submit(path, { number: '', note: '' })
  expect(Object.keys(empty.errors)).toEqual(['number'])
  expect(await client.doNotText.list()).toEqual([])
})

test('entries of the whole relay are shown without their notes and cannot be removed', async () => {
  const { browser, administration } = await startWithBrowsers()
  await administration.addDoNotText(number, { note: 'private note' })
  const { text } = await browser.get(path)
  expect(text).toContain(number)
  expect(text).not.toContain('private note')
  expect(text).not.toContain(`Remove ${number}`)
  expect(countRows((await browser.get(`${path}?q=private`)).text)).toBe(0)
  expect((await browser.submit(`${path}/remove`, { number })).notice?.kind).toBe('failed')
  expect((await browser.get(path)).text).toContain(number)
})

test('entries of another account are not shown, exported or removed', async () => {
  const { browser, bobBrowser, url, bob } = await startWithBrowsers()
  await bobBrowser.submit(path, { number })
  expect(countRows((await browser.get(path)).text)).toBe(0)
  expect((await browser.get(`${path}/export`)).text).not.toContain(number)
  await browser.submit(`${path}/remove`, { number })
  expect(await openClient(url, bob).doNotText.list()).toHaveLength(1)
})

function listNumbers(html: string): (string | undefined)[] {
  return readRows(html).map(([cell]) => /\+\d+/.exec(cell ?? '')?.[0])
}

test('a long list is paged from the newest number, and can be searched', async () => {
  const { browser, administration } = await startWithBrowsers()
  const lines = Array.from({ length: 150 }, (_, n) => `+1202555${1000 + n},note ${n}`)
  await browser.submit(`${path}/import`, createImportForm(lines.join('\n')))
  await administration.addDoNotText(number)
  const first = await browser.get(path)
  expect(first.text).toContain('>151 numbers<')
  expect(findPageLink(first.text, 'prev')).toBe('')
  const second = await browser.get(findPageLink(first.text, 'next'))
  expect(findPageLink(second.text, 'prev')).toBe(path)
  expect(findPageLink(second.text, 'next')).toBe('')
  const newest = lines.map(line => line.slice(0, 12)).reverse()
  const pages = [...listNumbers(first.text), ...listNumbers(second.text)]
  expect(pages).toEqual([number, ...newest])
  expect(countRows(first.text)).toBe(100)
  const count = async (query: string) => countRows((await browser.get(path + query)).text)
  expect(await count('?q=555-1149')).toBe(1)
  expect(await count('?q=NOTE%207')).toBe(11)
  expect(await count('?after=x%00')).toBe(100)
})

test('a search covers a limited number of entries, and goes on in a further page', async () => {
  const { browser, administration } = await startWithBrowsers()
  const added = (second: number) => new Date(Date.UTC(2020, 0, 1, 0, 0, second)).toISOString()
  const lines = Array.from({ length: 2700 }, (_, n) => {
    const at = added(n).slice(0, 19).replace('T', ' ')
    return `+1202555${String(n).padStart(4, '0')},${n % 20 === 0 ? 'asked' : 'wrote'},${at}`
  })
  const table = ['number,note,added_on', ...lines].join('\n')
  await browser.submit(`${path}/import`, createImportForm(table))
  await administration.addDoNotText(number, { note: 'asked' })
  const first = await browser.get(`${path}?q=asked`)
  expect(countRows(first.text)).toBe(49)
  expect(first.text).toContain('49 matches in 1,000 numbers. The next page searches older ones.')
  const second = await browser.get(findPageLink(first.text, 'next'))
  expect(second.text).toContain('>86 matches<')
  const found = [...listNumbers(first.text), ...listNumbers(second.text)]
  expect(found).toEqual(Array.from({ length: 135 }, (_, n) => lines[2680 - n * 20]?.slice(0, 12)))
  const old = await browser.get(`${path}?q=55500`)
  expect(old.text).toContain('0 matches in 1,000 numbers. The next page searches older ones.')
  expect(old.text).toContain('Search further')
  expect((await browser.get(findPageLink(old.text, 'next'))).text).toContain('>100 matches<')
  expect((await browser.get(`${path}?q=202-555-0001`)).text).toContain('>1 match<')
})

test('an import with an invalid line changes nothing unless such lines are skipped', async () => {
  const { browser, client } = await startWithBrowsers()
  const table = `number,note\n${number},"two\nlines"\nnobody,wrong\n+12025550124,\n`
  const rejected = await browser.submit(`${path}/import`, createImportForm(table))
  expect(rejected.status).toBe(400)
  expect(rejected.notice?.kind).toBe('failed')
  expect(countRows(rejected.text)).toBe(1)
  expect(readRows(rejected.text)[0]?.[0]).toBe('4')
  expect(await client.doNotText.list()).toEqual([])
  expect(rejected.text).toContain('nobody,wrong')
  const pasted = { table: table.replaceAll('\n', '\r\n'), skip_invalid: 'true' }
  const imported = await browser.submit(`${path}/import`, createImportForm('', pasted))
  expect(imported.notice?.kind).toBe('done')
  expect(imported.notice?.text.match(/\d+/g)).toEqual(['2', '1'])
  expect(await client.doNotText.list()).toMatchObject([
    { number, reason: 'import', by: annEmail, note: 'two\nlines' },
    { number: '+12025550124' },
  ])
  const again = await browser.submit(`${path}/import`, createImportForm(`${number}\n`))
  expect(again.notice?.text.match(/\d+/g)).toEqual(['0', '1'])
})

test.each([
  ['that is not text', createImportForm(new Uint8Array([0xff, 0x00, 0xfe, 0x31])), 'UTF-8'],
  ['that is empty', createImportForm(''), 'number'],
  ['with an open quote', createImportForm(`number\n"${number}`), 'quote'],
])('a file %s is rejected', async (_, form, named) => {
  const { browser, client, defects } = await startWithBrowsers()
  const rejected = await browser.submit(`${path}/import`, form)
  expect(rejected.status).toBe(400)
  expect([rejected.notice?.text, ...Object.values(rejected.errors)].join()).toContain(named)
  expect(await client.doNotText.list()).toEqual([])
  expect(defects).toEqual([])
})

test('a file is decoded with the encoding of the form', async () => {
  const { browser, client } = await startWithBrowsers()
  const bytes = Buffer.from(`number;note\n${number};Gr\xfc\xdfe\n`, 'latin1')
  const form = createImportForm(bytes, { encoding: 'windows-1252' })
  await browser.submit(`${path}/import`, form)
  expect(await client.doNotText.list()).toMatchObject([{ note: 'Grüße' }])
})

test('a form that is too large answers 413', async () => {
  const { browser } = await startWithBrowsers()
  const form = createImportForm('x'.repeat(5 * 1024 * 1024))
  expect((await browser.submit(`${path}/import`, form)).status).toBe(413)
})

test('an exported file can be imported', async () => {
  const { browser, bobBrowser, url, bob } = await startWithBrowsers()
  await browser.submit(path, { number, note: '=1+1,"x"' })
  const exported = await browser.get(`${path}/export`)
  expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(exported.headers.get('content-disposition')).toContain('attachment')
  expect(exported.text).toContain(`"'=1+1,""x"""`)
  await bobBrowser.submit(`${path}/import`, createImportForm(exported.text))
  expect(await openClient(url, bob).doNotText.list()).toMatchObject([{ number, note: '=1+1,"x"' }])
})
