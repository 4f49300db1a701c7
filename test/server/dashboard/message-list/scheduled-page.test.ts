import { expect, test } from 'vitest'
import { readRows } from '../browser.js'
import { openPhone } from '../dashboard-relay.js'
import { startMessages } from '../messages/start-messages.js'

const destination = '+12025550123'

test('scheduled messages are listed by day in the time zone of the reader', async () => {
  const now = Date.UTC(2030, 0, 1, 12)
  const { client, browser, bobBrowser, url, ann } = await startMessages({ now: () => now })
  const schedule = async (message: string, send_on: string) =>
    await client.messages.create({ destination, message, send_on })
  await schedule('Third', '2030-01-03 10:00:00')
  await schedule('Second', '2030-01-02 23:30:00')
  await schedule('First', '2030-01-02 08:00:00')
  await client.messages.create({ destination, message: 'Leased' })
  await openPhone(url, ann).messages.next()
  browser.cookies.set('smsrelay_zone', 'Europe/Berlin')
  const { text } = await browser.get('/messages/scheduled')
  expect([...text.matchAll(/<h2 id="day-[^>]*>([^<]*)/g)].map(([, day]) => day)).toEqual([
    ...['Wednesday, 2 Jan 2030', 'Thursday, 3 Jan 2030'],
  ])
  expect(readRows(text).map(cells => cells.slice(1))).toEqual([
    ['09:00', '2030-01-02 08:00', 'Scheduled', 'First'],
    ['00:30', '2030-01-02 23:30', 'Scheduled', 'Second'],
    ['11:00', '2030-01-03 10:00', 'Scheduled', 'Third'],
  ])
  expect((await browser.get('/messages')).text).toContain('href="/messages/scheduled"')
  const other = (await bobBrowser.get('/messages/scheduled')).text
  expect(other).toContain('No scheduled messages')
})

test('a scheduled message has the name of its contact and the direction of its text', async () => {
  const { client, browser } = await startMessages()
  await client.contacts.create({ number: destination, name: 'Ada' })
  const send_on = '2099-01-01 10:00:00'
  await client.messages.create({ destination, message: 'مرحبا', send_on })
  const { text } = await browser.get('/messages/scheduled')
  expect(readRows(text)[0]?.[0]).toBe(`Ada${destination}`)
  expect(text).toMatch(/<span class="clip" dir="auto">\s*مرحبا/)
})

test('the list of scheduled messages has pages', async () => {
  const { client, browser } = await startMessages()
  const drafts = Array.from({ length: 101 }, (_, n) => ({
    destination,
    message: `Number ${n}`,
    send_on: `2099-01-01 10:${String(Math.floor(n / 2)).padStart(2, '0')}:00`,
  }))
  await client.messages.createBatch(drafts)
  const first = (await browser.get('/messages/scheduled')).text
  const rows = readRows(first)
  expect(rows).toHaveLength(100)
  const [, next = ''] = /href="([^"]*)" rel="next"/.exec(first) ?? []
  const second = readRows((await browser.get(next)).text)
  const texts = [...rows, ...second].map(cells => cells.at(-1))
  expect(new Set(texts)).toEqual(new Set(drafts.map(({ message }) => message)))
  expect(texts).toHaveLength(101)
  expect((await browser.get('/messages/scheduled?after=x')).status).toBe(200)
})
