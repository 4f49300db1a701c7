import { expect, test } from 'vitest'
import { chosenStore } from '../../../chosen-store.js'
import { countRows, readRows } from '../browser.js'
import { annEmail, openPhone, ownRelay, password } from '../dashboard-relay.js'
import { startMessages } from '../messages/start-messages.js'

test('the list is filtered and paged', async () => {
  const { send, browser } = await startMessages()
  const destination = Array.from({ length: 60 }, (_, n) => `+120255502${10 + n}`).join('\n')
  await send({ destination })
  const first = await browser.get('/messages')
  expect(countRows(first.text)).toBe(50)
  const next = findLink(first.text, 'next')
  expect(next).toMatch(/^\/messages\?start=50&after=[\w-]+$/)
  const second = await browser.get(next)
  expect(countRows(second.text)).toBe(10)
  expect(findLink(second.text, 'prev')).toBe('/messages')
  const readNumbers = (text: string) => readRows(text).map(cells => cells[1])
  const { text } = await browser.get('/messages?start=50')
  expect(readNumbers(text)).toEqual(readNumbers(second.text))
  expect(countRows((await browser.get('/messages?filter=sent')).text)).toBe(0)
  expect(countRows((await browser.get('/messages?filter=normal')).text)).toBe(50)
  expect((await browser.get('/messages?filter=nothing&start=-1&order=x')).status).toBe(200)
})

test('the links to the pages before and behind lead through the whole list', async () => {
  const { send, browser } = await startMessages()
  const createNumbers = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => `+1202555${from + n}`).join('\n')
  await send({ destination: createNumbers(1000, 160) })
  const listRows = async (path: string) => {
    const { text } = await browser.get(path)
    return { text, rows: readRows(text).map(cells => cells[1]) }
  }
  for (const order of ['asc', 'desc']) {
    const pages = [await listRows(`/messages?order=${order}`)]
    for (let page = 1; page < 4; page += 1)
      pages.push(await listRows(findLink(pages.at(-1)?.text ?? '', 'next')))
    expect(new Set(pages.flatMap(({ rows }) => rows)).size).toBe(160)
    expect(pages.at(-1)?.text).not.toContain('rel="next"')
    const third = await listRows(findLink(pages.at(-1)?.text ?? '', 'prev'))
    expect(third.rows).toEqual(pages[2]?.rows)
    expect(findLink(third.text, 'next')).toBe(findLink(pages[2]?.text ?? '', 'next'))
    expect((await listRows(findLink(third.text, 'prev'))).rows).toEqual(pages[1]?.rows)
  }
})

test('the search ignores letter case and the format of numbers', async () => {
  const { send, browser } = await startMessages()
  await send({ message: 'The quick brown fox' })
  await send({ message: 'Lazy dog', destination: '+442079460000' })
  const search = async (words: string) =>
    countRows((await browser.get(`/messages?q=${encodeURIComponent(words)}`)).text)
  expect(await search('QUICK')).toBe(1)
  expect(await search('20 7946')).toBe(1)
  expect(await search('nothing')).toBe(0)
  expect(await search(' ')).toBe(2)
})

test('the list is filtered by age and phone, in both orders', async () => {
  let now = Date.UTC(2030, 0)
  const { send, browser, url, ann } = await startMessages({ now: () => now })
  await send({ message: 'Old' })
  const phone = openPhone(url, ann, { name: 'front desk', driver: 'simulate' })
  const { id = '' } = (await phone.messages.next()) ?? {}
  await phone.messages.reportSuccess(id, { parts: 1 })
  now += 3 * 24 * 60 * 60_000
  // The session has ended.
  await browser.signIn(annEmail, password)
  await send({ message: 'New' })
  await send({ message: 'Newest' })
  const list = async (query: string) =>
    readRows((await browser.get(`/messages?${query}`)).text).map(cells => cells[2])
  expect(await list('age=day')).toEqual(['Newest', 'New'])
  expect(await list('age=day&order=asc')).toEqual(['New', 'Newest'])
  expect(await list('age=week')).toEqual(['Newest', 'New', 'Old'])
  expect(await list('phone=front+desk')).toEqual(['Old'])
  expect(await list('phone=nobody&age=month')).toEqual([])
  expect(await list('age=nonsense')).toEqual(['Newest', 'New', 'Old'])
  const { text } = await browser.get('/messages?phone=front+desk')
  expect(text).toContain('<option value="front desk" selected>')
  expect(text).toContain('Filters (1)')
})

test('the first page of a search covers few messages, the next one all others', async () => {
  const { browser, client } = await startMessages()
  await client.messages.create({ destination: '+12025550123', message: 'The rare word' })
  const covered = chosenStore === 'postgres' ? 2500 : 20_000
  for (let left = covered; left > 0; left -= 500) {
    const usual = { destination: '+12025550123', message: 'Usual' }
    await client.messages.createBatch(
      Array.from({ length: 500 }, () => usual),
      { minimal: true },
    )
  }
  const first = (await browser.get('/messages?q=RARE')).text
  const size = covered.toLocaleString('en')
  expect(first).toContain(`0 matches in ${size} messages. The next page searches older ones.`)
  expect(first).toContain('Search further')
  const next = (await browser.get(findLink(first, 'next'))).text
  expect(readRows(next).map(cells => cells[2])).toEqual(['The rare word'])
  expect(next).toContain('1 match on the last page.')
})

test('a day that does not exist is an error, and lists no other messages', async () => {
  const { send, browser } = await startMessages({ now: () => Date.UTC(2030, 0, 2) })
  await send()
  for (const path of ['/messages', '/messages.csv', '/audit', '/audit.csv']) {
    for (const query of ['from=0026-01-01', 'to=2030-02-30']) {
      const { status, text } = await browser.get(`${path}?${query}`)
      expect(status).toBe(400)
      expect(text).toContain('is not a date. Write it as 2030-01-02.')
      expect(text).not.toContain('Hello')
    }
  }
})

test('a page behind the last one leads to the first', async () => {
  const { send, browser } = await startMessages()
  await send()
  const { text } = await browser.get('/messages?start=50&order=asc')
  expect(text).toContain('No messages on this page')
  expect(text).toContain('href="/messages?order=asc"')
})

test('each tab has its number of messages, a search has none', async () => {
  const { send, browser, client } = await startMessages()
  for (const message of ['One', 'Two', 'Three']) await send({ message })
  const [first] = await client.messages.list({ filter: 'new' })
  await client.messages.lock(first?.id ?? '')
  const read = async (path: string) =>
    [...(await browser.get(path)).text.matchAll(/>(\w+)(?:<span>([\d,+]+)<\/span>)?<\/a>/g)]
      .map(([, name, count]) => `${name} ${count ?? ''}`.trim())
      .filter(text => /^(All|Waiting|Sent|Locked)/.test(text))
  expect(await read('/messages')).toEqual(['All 3', 'Waiting 2', 'Sent 0', 'Locked 1'])
  expect(await read('/messages?q=One')).toEqual(['All', 'Waiting', 'Sent', 'Locked'])
})

test('the list says how many messages match, and shows exact times on request', async () => {
  const { send, browser } = await startMessages({ now: () => Date.UTC(2030, 0, 1, 22, 30) })
  for (const message of ['One', 'Two']) await send({ message })
  const { text } = await browser.get('/messages?order=asc')
  expect(text).toContain('All 2 matching')
  expect(text).toContain('>0 s ago</time>')
  const [, link = ''] = /href="([^"]+)">Show exact times/.exec(text) ?? []
  expect(link).toBe('/messages?order=asc&amp;times=exact')
  const exact = (await browser.get(link.replace('&amp;', '&'))).text
  expect(exact).toContain('>1 Jan 2030, 22:30:00</time>')
  expect(exact).toContain('href="/messages?filter=sent&amp;order=asc&amp;times=exact"')
  expect(exact).toContain('href="/messages?order=asc">Show relative times')
  expect((await browser.get('/messages?q=One')).text).toContain('All matching')
})

test('the list is filtered by days of the reader and by source, which can be removed', async () => {
  let now = Date.UTC(2030, 0, 1, 22, 30)
  // Its own relay: the ids of messages never go back in time.
  const { send, browser, client } = await startMessages({ now: () => now }, ownRelay)
  await send({ message: 'First' })
  now += 60 * 60_000
  await client.messages.create({ destination: '+12025550123', message: 'Second' })
  now += 60 * 60_000
  await send({ message: 'Third' })
  const list = async (query: string) =>
    readRows((await browser.get(`/messages?${query}`)).text).map(cells => cells[2])
  expect(await list('from=2030-01-02')).toEqual(['Third'])
  expect(await list('to=2030-01-01')).toEqual(['Second', 'First'])
  browser.cookies.set('smsrelay_zone', 'Europe/Berlin')
  expect(await list('from=2030-01-02')).toEqual(['Third', 'Second'])
  expect(await list('from=2030-01-02&to=2030-01-02&order=asc')).toEqual(['Second', 'Third'])
  expect(await list('source=api')).toEqual(['Second'])
  expect(await list('source=x')).toHaveLength(3)
  const { text } = await browser.get('/messages?from=2030-01-02&source=website&q=hird')
  expect(text).toContain('1 match. The search covers every message of this state and time.')
  expect(text).toContain('href="/messages?q=hird&amp;source=website"')
  expect(text).toContain('href="/messages?q=hird&amp;from=2030-01-02"')
  expect(text).toContain('From (Berlin)')
})

function findLink(text: string, rel: string): string {
  return new RegExp(`href="([^"]+)" rel="${rel}"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
}
