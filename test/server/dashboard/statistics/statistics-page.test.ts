import { expect, test } from 'vitest'
import { readRows } from '../browser.js'
import { annEmail, openPhone, password, startWithBrowsers } from '../dashboard-relay.js'

const day = 24 * 60 * 60_000

/** Two messages of January, one of them failed for good, and one of February. */
async function start() {
  let now = Date.UTC(2030, 0, 30, 23, 30)
  const relay = await startWithBrowsers({}, { now: () => now })
  const { client, url, ann, browser } = relay
  const phone = openPhone(url, ann, { name: 'front desk', driver: 'simulate' })
  const send = async (destination: string) => {
    await client.messages.create({ destination, message: 'Hello' })
    const { id = '' } = (await phone.messages.next()) ?? {}
    await phone.messages.reportSuccess(id, { parts: 1 })
  }
  await send('+12025550123')
  now += day
  const draft = { destination: '+442079460000', message: 'Held' }
  await client.messages.lock((await client.messages.create(draft)).id)
  now += 10 * day
  await send('+442079460000')
  await browser.signIn(annEmail, password)
  await relay.bobBrowser.signIn('bob@example.com', password)
  const read = async (query: string) =>
    readRows((await browser.get(`/statistics?${query}`)).text).map(cells => cells.slice(0, 4))
  return { ...relay, read }
}

test('messages are counted by day and hour in the time zone of the reader', async () => {
  const { browser, read } = await start()
  const january = 'from=2030-01-01&to=2030-01-31'
  const rows = await read(january)
  expect(rows).toHaveLength(31)
  expect(rows.slice(0, 2)).toEqual([
    ['31 Jan', '0', '0', '1'],
    ['30 Jan', '1', '0', '1'],
  ])
  browser.cookies.set('smsrelay_zone', 'Europe/Berlin')
  expect((await read(january))[0]).toEqual(['31 Jan', '1', '0', '1'])
  const hours = await read('by=hour&from=2030-01-31&to=2030-02-01')
  expect(hours).toHaveLength(48)
  expect(hours.filter(([, , , created]) => created === '1').map(([name]) => name)).toEqual([
    ...['1 Feb, 00:00', '31 Jan, 00:00'],
  ])
  const { text } = await browser.get(`/statistics?${january}`)
  expect(text).toMatch(/Sent, 1<.*From \(Berlin\)/s)
})

test('messages are counted by phone, source, country code and state', async () => {
  const { read, bobBrowser } = await start()
  const days = 'from=2030-01-01&to=2030-02-28'
  expect(await read(`by=phone&${days}`)).toEqual([
    ['front desk', '2', '0', '2'],
    ['No phone yet', '0', '0', '1'],
  ])
  expect(await read(`by=source&${days}`)).toEqual([['API', '2', '0', '3']])
  expect(await read(`by=prefix&${days}`)).toEqual([
    ['+44', '1', '0', '2'],
    ['+1', '1', '0', '1'],
  ])
  expect(await read('by=state&from=2030-01-31&to=2030-01-31')).toEqual([['Locked', '0', '0', '1']])
  const other = await bobBrowser.get(`/statistics?by=phone&${days}`)
  expect(other.text).toContain('No message was created in these days.')
})

test('a day with a change of the clocks has 23 or 25 hours', async () => {
  const { browser, read } = await start()
  browser.cookies.set('smsrelay_zone', 'Europe/Berlin')
  expect(await read('by=hour&from=2030-03-31&to=2030-03-31')).toHaveLength(23)
  const autumn = await read('by=hour&from=2030-10-27&to=2030-10-27')
  expect(autumn).toHaveLength(25)
  expect(autumn.map(([name]) => name).slice(-5)).toEqual([
    ...['27 Oct, 03:00', '27 Oct, 02:00 (01:00 UTC)', '27 Oct, 02:00 (00:00 UTC)'],
    ...['27 Oct, 01:00', '27 Oct, 00:00'],
  ])
  const spring = await read('from=2030-03-29&to=2030-04-02')
  expect(spring.map(([name]) => name)).toEqual(['2 Apr', '1 Apr', '31 Mar', '30 Mar', '29 Mar'])
})

test('days that cannot be shown are named', async () => {
  const { browser } = await start()
  const read = async (query: string) => (await browser.get(`/statistics?${query}`)).text
  expect(await read('from=2030-02-30')).toContain('2030-02-30 is not a date.')
  expect(await read('from=2030-02-02&to=2030-02-01')).toContain(
    'To is before from; exchange the two days.',
  )
  expect(await read('by=hour&from=2030-01-01&to=2030-02-28')).toContain(
    'at most 31 days, not 59. Choose a later first day.',
  )
  expect((await browser.get('/statistics.csv?from=x')).status).toBe(400)
})

test('last month is exported with three clicks', async () => {
  const { browser } = await start()
  expect((await browser.get('/')).text).toContain('href="/statistics"')
  const [, month = ''] = /href="([^"]*)"[^>]*>Last month</.exec(
    (await browser.get('/statistics')).text,
  ) ?? ['']
  expect(month).toBe('/statistics?from=2030-01-01&amp;to=2030-01-31')
  const page = await browser.get(month.replaceAll('&amp;', '&'))
  expect(page.text).toContain('href="/statistics.csv?from=2030-01-01&amp;to=2030-01-31"')
  const file = await browser.get('/statistics.csv?from=2030-01-01&to=2030-01-31')
  const lines = file.text.split('\r\n')
  expect(lines[0]).toBe(
    'day,from_utc,created,sent,failed,blocked,pending,delivered,undelivered,expired',
  )
  expect(lines[30]).toBe('2030-01-30,2030-01-30 00:00:00,1,1,0,0,0,0,0,0')
  expect(lines).toHaveLength(33)
})
