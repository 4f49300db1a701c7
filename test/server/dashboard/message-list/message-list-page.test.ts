import { expect, test } from 'vitest'
import { countRows, readRows } from '../browser.js'
import { annEmail, openPhone, password } from '../dashboard-relay.js'
import { startMessages } from '../messages/start-messages.js'

test('the list is filtered and paged', async () => {
  const { send, browser } = await startMessages()
  const destination = Array.from({ length: 60 }, (_, n) => `+120255502${10 + n}`).join('\n')
  await send({ destination })
  const first = await browser.get('/messages')
  expect(countRows(first.text)).toBe(50)
  expect(first.text).toContain('href="/messages?start=50"')
  const second = await browser.get('/messages?start=50')
  expect(countRows(second.text)).toBe(10)
  expect(second.text).toContain('href="/messages" rel="prev">')
  expect(countRows((await browser.get('/messages?filter=sent')).text)).toBe(0)
  expect(countRows((await browser.get('/messages?filter=normal')).text)).toBe(50)
  expect((await browser.get('/messages?filter=nothing&start=-1&order=x')).status).toBe(200)
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
