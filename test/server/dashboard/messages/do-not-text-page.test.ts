import { expect, test } from 'vitest'
import { allPayloads, expectNoMarkup } from '../hostile.js'
import { expectGuarded, openClient, startWithBrowsers } from '../signed-in.js'

const number = '+12025550123'
const path = '/do-not-text'

function file(text: string | Uint8Array, more: Record<string, string> = {}): FormData {
  const form = new FormData()
  form.set('file', new Blob([text as string]), 'list.csv')
  form.set('encoding', 'utf-8')
  form.set('table', '')
  for (const [name, value] of Object.entries(more)) form.set(name, value)
  return form
}

test('a number is added with who did it and why, and taken off', async () => {
  const { browser, url, ann } = await startWithBrowsers()
  const added = await browser.submit(path, { number: '+1 202 555 0123', note: 'asked by phone' })
  expect(added.path).toBe(path)
  expect(added.text).toContain(`${number} is on the list.`)
  const client = openClient(url, ann)
  expect(await client.doNotText.list()).toMatchObject([
    { number, reason: 'person', by: 'ann@example.com', note: 'asked by phone' },
  ])
  expect(added.text).toContain('ann@example.com')
  expect(added.text).toContain('asked by phone')
  const again = await browser.submit(path, { number, note: 'other' })
  expect(again.text).toContain(`${number} was already on the list.`)
  const removed = await browser.submit(`${path}/remove`, { number })
  expect(removed.text).toContain(`${number} is no longer on the list.`)
  expect(await client.doNotText.list()).toEqual([])
})

test('what cannot be listed is told at its field, with what was typed', async () => {
  const { browser, url, ann } = await startWithBrowsers()
  const wrong = await browser.submit(path, { number: '12', note: 'kept' })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toMatch(/id="number-error"[^>]*>It is not a number that can be dialled/i)
  expect(wrong.text).toContain('value="kept"')
  const long = await browser.submit(path, { number, note: 'x'.repeat(201) })
  expect(long.text).toMatch(/id="note-error"[^>]*>It must have 0 to 200 characters/)
  expect((await browser.submit(path, { number: '', note: '' })).text).toContain('number-error')
  expect(await openClient(url, ann).doNotText.list()).toEqual([])
})

test('entries of the whole service are shown without what was written about them, and stay', async () => {
  const { browser, relay } = await startWithBrowsers()
  await relay.administration.addBlocked(number, { note: 'private note' })
  const { text } = await browser.get(path)
  expect(text).toContain('listed by the service for all accounts')
  expect(text).not.toContain('private note')
  expect(text).not.toContain(`Remove ${number}`)
  expect((await browser.get(`${path}?q=private`)).text).toContain('There are no such numbers.')
  const refused = await browser.submit(`${path}/remove`, { number })
  expect(refused.text).toContain('The number is not on the list of this account.')
  expect((await browser.get(path)).text).toContain(number)
})

test("another account's entries are neither shown nor removed", async () => {
  const { browser, bob, url, bobs } = await startWithBrowsers()
  await bob.submit(path, { number })
  expect((await browser.get(path)).text).toContain('There are no such numbers.')
  expect((await browser.get(`${path}/export`)).text).not.toContain(number)
  await browser.submit(`${path}/remove`, { number })
  expect(await openClient(url, bobs).doNotText.list()).toHaveLength(1)
})

test('a long list is paged, and searched by number and note', async () => {
  const { browser } = await startWithBrowsers()
  const lines = Array.from({ length: 150 }, (_, n) => `+1202555${1000 + n},note ${n}`)
  await browser.submit(`${path}/import`, file(lines.join('\n')))
  const first = await browser.get(path)
  expect(first.text).toContain('150 numbers')
  expect(first.text.match(/class="number"/g)).toHaveLength(100)
  expect(first.text).toContain('?start=100')
  expect((await browser.get(`${path}?start=100`)).text.match(/class="number"/g)).toHaveLength(50)
  expect((await browser.get(`${path}?q=555-1149`)).text).toContain('1 number<')
  expect((await browser.get(`${path}?q=NOTE%207`)).text).toContain('11 numbers')
  expect((await browser.get(`${path}?start=999999999`)).status).toBe(200)
})

test('nothing of a file is imported when a line is not valid, unless those are left out', async () => {
  const { browser, url, ann } = await startWithBrowsers()
  const table = `number,note\n${number},"two\nlines"\nnobody,wrong\n+12025550124,\n`
  const seen = await browser.submit(`${path}/import`, file(table))
  expect(seen.status).toBe(400)
  expect(seen.text).toContain('Nothing was imported: 1 line has problems.')
  expect(seen.text).toContain('<td>4</td>')
  const client = openClient(url, ann)
  expect(await client.doNotText.list()).toEqual([])
  expect(seen.text).toContain('nobody,wrong')
  const form = file('', { table: table.replaceAll('\n', '\r\n'), skip_invalid: 'true' })
  const done = await browser.submit(`${path}/import`, form)
  expect(done.text).toContain('2 numbers are new on the list. 1 lines were left out.')
  expect(await client.doNotText.list()).toMatchObject([
    { number, reason: 'import', by: 'ann@example.com', note: 'two\nlines' },
    { number: '+12025550124' },
  ])
  const again = await browser.submit(`${path}/import`, file(`${number}\n`))
  expect(again.text).toContain('0 numbers are new on the list. 1 were listed already')
})

test.each([
  ['of bytes that are no text', file(new Uint8Array([0xff, 0x00, 0xfe, 0x31])), 'not UTF-8'],
  ['with nothing in it', file(''), 'must have a number'],
  ['with an open quote', file(`number\n"${number}`), 'a quote is opened and never closed'],
])('a file %s is refused with a sentence', async (_, form, sentence) => {
  const { browser, url, ann, defects } = await startWithBrowsers()
  const seen = await browser.submit(`${path}/import`, form)
  expect(seen.status).toBe(400)
  expect(seen.text).toContain(sentence)
  expect(await openClient(url, ann).doNotText.list()).toEqual([])
  expect(defects).toEqual([])
})

test('a file in another encoding is read as it says', async () => {
  const { browser, url, ann } = await startWithBrowsers()
  const bytes = Buffer.from(`number;note\n${number};Gr\xfc\xdfe\n`, 'latin1')
  await browser.submit(`${path}/import`, file(bytes, { encoding: 'windows-1252' }))
  expect(await openClient(url, ann).doNotText.list()).toMatchObject([{ note: 'Grüße' }])
})

test('a form that is too large is refused', async () => {
  const { browser } = await startWithBrowsers()
  const seen = await browser.submit(`${path}/import`, file('x'.repeat(5 * 1024 * 1024)))
  expect(seen.status).toBe(413)
})

test('the export is a file that can be imported again', async () => {
  const { browser, bob, url, bobs } = await startWithBrowsers()
  await browser.submit(path, { number, note: '=1+1,"x"' })
  const exported = await browser.get(`${path}/export`)
  expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(exported.headers.get('content-disposition')).toContain('attachment')
  expect(exported.text).toContain(`"'=1+1,""x"""`)
  await bob.submit(`${path}/import`, file(exported.text))
  expect(await openClient(url, bobs).doNotText.list()).toMatchObject([{ number, note: '=1+1,"x"' }])
})

test('no payload becomes markup', async () => {
  const { browser } = await startWithBrowsers()
  expectNoMarkup((await browser.submit(path, { number: allPayloads, note: allPayloads })).text)
  const note = allPayloads.slice(0, 200)
  const listed = await browser.submit(path, { number, note })
  expect(listed.text).toContain('&lt;script>')
  expectNoMarkup(listed.text)
  expectNoMarkup((await browser.get(`${path}?q=${encodeURIComponent(allPayloads)}`)).text)
  expectNoMarkup((await browser.submit(`${path}/import`, file(`${allPayloads}\n`))).text)
})

test('forms are refused without their token, and to strangers', async () => {
  const { browser, url } = await startWithBrowsers()
  await expectGuarded(browser, url, path, { number })
  await expectGuarded(browser, url, `${path}/remove`, { number })
  await expectGuarded(browser, url, `${path}/import`, file(`${number}\n`))
  expect((await browser.get(path)).text).toContain('There are no such numbers.')
})
