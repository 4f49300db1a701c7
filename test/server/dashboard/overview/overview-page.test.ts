import { expect, test } from 'vitest'
import type { RelayClient } from '../../../../src/client/relay-client.js'
import { listStates, readRows } from '../browser.js'
import {
  annEmail,
  bobEmail,
  openClient,
  openPhone,
  password,
  startRelay,
} from '../dashboard-relay.js'

const start = Date.UTC(2030, 5, 15, 23, 40)
const zoneCookie = 'smsrelay_zone'
const fiveMinutes = 5 * 60_000

async function startOverview() {
  let now = start
  const relay = await startRelay({}, { now: () => now })
  const { url, ann } = relay
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  const openPixel = (name = 'pixel', keys = ann) =>
    openPhone(url, keys, { name, driver: 'simulate' })
  const browser = await relay.openBrowser()
  return { ...relay, browser, client: openClient(url, ann), pass, openPixel }
}

async function create(client: RelayClient) {
  await client.messages.create({ destination: '+12025550143', message: 'Hello' })
}

function readFigures(html: string): Record<string, string> {
  const figures = html.matchAll(/<dt><svg.*?<\/svg>([^<]*)<\/dt><dd><a[^>]*>([^<]*)/gs)
  return Object.fromEntries([...figures].map(([, label, value]) => [label, value]))
}

/** The problems that the first card lists. */
function listProblems(html: string): string[] {
  const list = /<ul class="alerts">(.*?)<\/ul>/s.exec(html)?.[1] ?? ''
  return [...list.matchAll(/<h3>([^<]*)/g)].map(([, title = '']) => title)
}

test('an empty account sees its first steps until they are done', async () => {
  const { browser, url, client, openPixel } = await startOverview()
  const empty = (await browser.get('/')).text
  expect(empty).toContain(`smsrelay login --url ${url}`)
  expect(empty).toContain('smsrelay phone --driver simulate')
  await create(client)
  expect((await browser.get('/')).text).toContain('id="first-steps"')
  await openPixel().messages.next()
  expect((await browser.get('/')).text).not.toContain('id="first-steps"')
})

test("the figures count the account's messages of today and those that wait", async () => {
  const { browser, url, client, openPixel, administration } = await startOverview()
  await create(openClient(url, await administration.createAccount({ email: bobEmail })))
  for (let count = 0; count < 3; count += 1) await create(client)
  const pixel = openPixel()
  const message = await pixel.messages.next()
  await pixel.messages.reportSuccess(message?.id ?? '', { parts: 1 })
  await pixel.messages.next()
  const { text } = await browser.get('/')
  expect(readFigures(text)).toEqual({
    ...{ 'Sent today': '1', 'Failed today': '0', Waiting: '2' },
    ...{ 'Created today': '3', 'Blocked today': '0' },
  })
  expect(text).toMatch(/1 due since <time.*?<\/time>, 1 with phones/)
})

test("days and hours begin in the reader's time zone", async () => {
  const { browser, client } = await startOverview()
  await create(client)
  const readNewest = async (path: string) => readRows((await browser.get(path)).text)[0]
  expect(await readNewest('/')).toEqual(['15 Jun, 23:00', '0', '0', '1', '0', '0', '0'])
  expect(await readNewest('/?period=days')).toEqual(['15 Jun', '0', '0', '1', '0', '0', '0'])
  browser.cookies.set(zoneCookie, 'Europe/Berlin')
  expect(await readNewest('/')).toEqual(['16 Jun, 01:00', '0', '0', '1', '0', '0', '0'])
  const east = (await browser.get('/?period=days')).text
  expect(readRows(east)[0]?.[0]).toBe('16 Jun')
  expect(east).toContain('From (Berlin)')
  expect(east).toContain('title="16 Jun 2030, 01:40:00 in Berlin (23:40:00 UTC)"')
})

test('an unknown time zone counts as UTC', async () => {
  const { browser, defects } = await startOverview()
  for (const invalid of ['Mars/Olympus', '+99:00', '../etc', '<b>', '']) {
    browser.cookies.set(zoneCookie, invalid)
    expect((await browser.get('/')).text, invalid).toContain('From (UTC)')
  }
  expect(defects).toEqual([])
})

test('the chart has a bar for each hour with messages, and its scale', async () => {
  const { browser, client, openPixel } = await startOverview()
  for (let count = 0; count < 3; count += 1) await create(client)
  const pixel = openPixel()
  const first = await pixel.messages.next()
  await pixel.messages.reportSuccess(first?.id ?? '', { parts: 1 })
  const { text } = await browser.get('/')
  expect(text).toContain('Most were sent at 15 Jun, 23:00: 1.')
  expect(text.match(/<rect /g)).toHaveLength(1)
  expect(text).toMatch(/<rect class="sent" x="471.2" y="90" width="7.6" height="30">/)
  const marks = [...text.matchAll(/<text x="([\d.]+%)"[^>]*>([^<]*)/g)]
  expect(marks.map(([, x, mark]) => `${mark} at ${x}`)).toEqual([
    ...['14 Jun at 0%', '12:00 at 25%', '15 Jun at 50%', '12:00 at 75%', 'now at 100%'],
  ])
})

test('a silent phone is listed with the due messages, counted, and can be forgotten', async () => {
  const { browser, client, pass, openPixel } = await startOverview()
  await openPixel('a/b').messages.next()
  expect(readRows((await browser.get('/phones')).text)[0]?.slice(0, 3)).toEqual([
    ...['a/b', 'simulate', 'Alive'],
  ])
  await create(client)
  pass(fiveMinutes + 60_000)
  const silent = (await browser.get('/')).text
  expect(listProblems(silent)).toEqual(['Phone a/b is silent'])
  expect(silent).toContain('1 due message must wait.')
  expect(silent).toContain('<title>(1) Overview')
  expect((await browser.get('/messages')).text).toContain('1<span class="unseen"> need attention')
  expect(listStates((await browser.get('/phones')).text)).toEqual(['Silent'])
  const removed = await browser.submit('/phones/a%2Fb/forget')
  expect(removed.notice).toMatchObject({ kind: 'done', text: expect.stringContaining('a/b') })
  expect(readRows(removed.text)).toEqual([])
  expect(removed.text).toContain('<title>Phones')
})

test('silent phones are one problem, and another one sends what is due', async () => {
  const { browser, client, pass, openPixel } = await startOverview()
  for (const name of ['attic', 'cellar', 'garage']) await openPixel(name).messages.next()
  await create(client)
  pass(fiveMinutes + 60_000)
  const silent = (await browser.get('/')).text
  expect(listProblems(silent)).toEqual(['All phones are silent'])
  expect(silent).toContain('1 due message must wait.')
  await openPixel('attic').messages.next()
  const rest = (await browser.get('/')).text
  expect(listProblems(rest)).toEqual(['2 phones are silent'])
  expect(rest).not.toContain('must wait')
})

test('a paused subscription is listed until it is resumed', async () => {
  const { browser, client } = await startOverview()
  const url = 'http://ann:pass@127.0.0.1:9/hook?x=secret'
  const { id } = await client.subscriptions.create({ event: 'message.sent', url })
  await browser.submit(`/subscriptions/${id}/pause`)
  const paused = (await browser.get('/')).text
  expect(listProblems(paused)).toEqual(['Webhooks of message.sent are paused'])
  expect(paused).toContain(`href="/subscriptions/${id}"`)
  expect(paused).not.toContain('pass')
  await browser.submit(`/subscriptions/${id}/resume`)
  expect(listProblems((await browser.get('/')).text)).toEqual([])
})

test('an hour with unusually many failed messages is listed', async () => {
  const { browser, client, pass, openPixel } = await startOverview()
  const pixel = openPixel()
  for (let count = 0; count < 5; count += 1) await create(client)
  for (let round = 1; round <= 5; round += 1) {
    expect(listProblems((await browser.get('/')).text)).toEqual([])
    for (let count = 0; count < 5; count += 1) {
      const message = await pixel.messages.next()
      await pixel.messages.reportFailure(message?.id ?? '', { error_message: 'no network' })
    }
    if (round < 5) pass(round * 15 * 60_000)
    // Otherwise the phone would be silent.
    await pixel.messages.next()
  }
  const { text } = await browser.get('/')
  expect(listProblems(text)).toEqual(['5 messages failed within an hour (usually 0)'])
  expect(text).toContain('href="/messages?filter=failed"')
})

test('messages that were locked for a decision are listed', async () => {
  const { browser, client, administration } = await startOverview()
  const { id } = await client.messages.create({ destination: '+12025550143', message: 'Hello' })
  await client.messages.lock(id)
  expect(listProblems((await browser.get('/')).text)).toEqual([])
  await administration.changeAccount(annEmail, { mode: 'at-most-once' })
  expect(listProblems((await browser.get('/')).text)).toEqual(['1 message is locked'])
})

test('quiet hours are shown with their end, and a waiting phone is not silent', async () => {
  const { browser, url, ann, pass } = await startOverview()
  const headers = await createPhoneHeaders(url, ann)
  const requestQueue = async (more = {}) =>
    await fetch(`${url}/api/1/message/queue`, { headers: { ...headers, ...more } })
  await requestQueue({ 'X-Phone-Quiet-Until': '2030-06-16 07:00:00' })
  const quiet = (await browser.get('/')).text
  expect(quiet).toMatch(/>pixel<.*datetime="2030-06-16T07:00:00.000Z".*<\/svg>Quiet</s)
  pass(fiveMinutes + 60_000)
  await requestQueue()
  const waiting = (await browser.get('/')).text
  expect(waiting).toMatch(/>pixel<.*<\/svg>Waiting</s)
  expect(listProblems(waiting)).toEqual([])
})

async function createPhoneHeaders(url: string, keys: { secret_key: string; app_key: string }) {
  const Authorization = `Basic ${btoa(`${keys.secret_key}:${keys.app_key}`)}`
  const issued = await (await fetch(`${url}/oauth`, { headers: { Authorization } })).json()
  const { access_token } = issued as { access_token: string }
  const phone = { 'X-Phone-Name': 'pixel', 'X-Phone-Driver': 'termux' }
  return { Authorization: `Bearer ${access_token}`, ...phone }
}

test("another account's phone is not shown and cannot be removed", async () => {
  const { browser, openPixel, administration, openBrowser } = await startOverview()
  const bob = await administration.createAccount({ email: bobEmail, password })
  await openPixel('bobs', bob).messages.next()
  expect((await browser.get('/')).text).not.toContain('bobs')
  expect((await browser.submit('/phones/bobs/forget')).status).toBe(404)
  const other = await openBrowser(bobEmail)
  expect(readRows((await other.get('/phones')).text)[0]?.[0]).toBe('bobs')
})

test('an update of the open page answers 204 until something changes', async () => {
  const { browser, client, pass, openPixel } = await startOverview()
  await openPixel().messages.next()
  const { text } = await browser.get('/')
  const headers = { 'X-Page-Version': /data-version="([\w-]+)"/.exec(text)?.[1] ?? '' }
  pass(1000)
  expect((await browser.get('/', { headers })).status).toBe(204)
  await create(client)
  expect((await browser.get('/', { headers })).status).toBe(200)
})
