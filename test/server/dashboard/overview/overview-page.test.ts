import { expect, test } from 'vitest'
import type { RelayClient } from '../../../../src/client/relay-client.js'
import { bobEmail, openClient, openPhone, password, startRelay } from '../dashboard-relay.js'

const start = Date.UTC(2030, 5, 15, 23, 40)
const offsetCookie = 'smsrelay_utc_offset'
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

function readTiles(html: string): Record<string, string> {
  const tiles = html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)
  return Object.fromEntries([...tiles].map(([, label, value]) => [label, value]))
}

function readNewestRow(html: string, table: string): string[] {
  const [, row = ''] =
    new RegExp(`<div id="${table}-figures">.*?<tbody><tr>(.*?)</tr>`, 's').exec(html) ?? []
  return [...row.matchAll(/>([^<>]+)</g)].map(([, text]) => text ?? '')
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

test("the tiles count the account's messages of today and those that wait", async () => {
  const { browser, url, client, openPixel, administration } = await startOverview()
  await create(openClient(url, await administration.createAccount({ email: bobEmail })))
  for (let count = 0; count < 3; count += 1) await create(client)
  const pixel = openPixel()
  const message = await pixel.messages.next()
  await pixel.messages.reportSuccess(message?.id ?? '', { parts: 1 })
  await pixel.messages.next()
  expect(readTiles((await browser.get('/')).text)).toEqual({
    ...{ Created: '3', Sent: '1', Failed: '0', Blocked: '0' },
    ...{ 'All waiting': '2', 'Due now': '1', 'Leased by phones': '1' },
  })
})

test('the age of the oldest due message is shown', async () => {
  const { browser, client, pass } = await startOverview()
  await create(client)
  pass(120_000)
  expect((await browser.get('/')).text).toContain('<time datetime="2030-06-15T23:40')
})

test("days and hours begin in the reader's time zone", async () => {
  const { browser, client } = await startOverview()
  await create(client)
  const utc = (await browser.get('/')).text
  expect(readNewestRow(utc, 'days')).toEqual(['2030-06-15', '0', '0', '1', '0', '0', '0'])
  expect(readNewestRow(utc, 'hours')).toEqual(['2030-06-15 23:00', '0', '0', '1', '0', '0', '0'])
  browser.cookies.set(offsetCookie, '120')
  const east = (await browser.get('/')).text
  expect(readNewestRow(east, 'days')).toEqual(['2030-06-16', '0', '0', '1', '0', '0', '0'])
  expect(east).toContain('UTC+02:00')
  browser.cookies.set(offsetCookie, '-210')
  expect((await browser.get('/')).text).toContain('UTC-03:30')
})

test('an invalid time zone offset counts as UTC', async () => {
  const { browser, defects } = await startOverview()
  for (const invalid of ['901', '7', '-721', 'NaN', '1e3', '<b>', '']) {
    browser.cookies.set(offsetCookie, invalid)
    expect((await browser.get('/')).text, invalid).not.toMatch(/UTC[+-]/)
  }
  expect(defects).toEqual([])
})

test('a silent phone is reported with the due messages, and can be removed', async () => {
  const { browser, client, pass, openPixel } = await startOverview()
  await openPixel('a/b').messages.next()
  const online = (await browser.get('/')).text
  expect(online).toContain('<td>a/b</td><td>simulate</td><td><span class="badge sent">')
  await create(client)
  pass(fiveMinutes + 60_000)
  const silent = await browser.get('/')
  expect(silent.notice?.kind).toBe('failed')
  expect(silent.notice?.text).toMatch(/a\/b.*\b1 message/s)
  expect(silent.text).toContain('<span class="badge failed">')
  const removed = await browser.submit('/phones/a%2Fb/forget')
  expect(removed.notice).toMatchObject({ kind: 'done', text: expect.stringContaining('a/b') })
  expect(removed.text).not.toContain('<td>a/b</td>')
})

test('quiet hours are shown with their end, and a waiting phone is not silent', async () => {
  const { browser, url, ann, pass } = await startOverview()
  const headers = await createPhoneHeaders(url, ann)
  const requestQueue = async (more = {}) =>
    await fetch(`${url}/api/1/message/queue`, { headers: { ...headers, ...more } })
  await requestQueue({ 'X-Phone-Quiet-Until': '2030-06-16 07:00:00' })
  const quiet = (await browser.get('/')).text
  expect(quiet).toMatch(/<td>pixel<\/td>.*badge new">Quiet.*datetime="2030-06-16T07:00:00.000Z"/s)
  pass(fiveMinutes + 60_000)
  await requestQueue()
  const waiting = await browser.get('/')
  expect(waiting.text).toMatch(/<td>pixel<\/td>.*badge new">Waiting/s)
  expect(waiting.notice).toBeUndefined()
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
  expect((await other.get('/')).text).toContain('<td>bobs</td>')
})

test('the name and driver of a phone are shown as text', async () => {
  const { browser, url, ann, pass, defects } = await startOverview()
  const name = '"><img src=x onerror=alert(1)>'
  await openPhone(url, ann, { name, driver: '<script>' }).messages.next()
  for (const time of [0, fiveMinutes + 60_000]) {
    pass(time)
    const { text } = await browser.get('/')
    expect(text).toContain('&lt;img src=x')
    expect(text).not.toContain('<img')
    expect(text).not.toContain('<script>')
  }
  const [, action = ''] = /action="(\/phones\/[^"]*)"/.exec((await browser.get('/')).text) ?? []
  expect((await browser.submit(action)).notice?.kind).toBe('done')
  expect(defects).toEqual([])
})

test('live sections answer 204 until they change', async () => {
  const { browser, client, pass, openPixel } = await startOverview()
  await openPixel().messages.next()
  const { text } = await browser.get('/')
  const sections = [...text.matchAll(/hx-get="([^"]*)" hx-vals="\{&#34;seen&#34;:&#34;([^&]*)/g)]
  expect(sections.map(([, path]) => path)).toEqual(['/', '/overview/figures'])
  const byScript = { headers: { 'HX-Request': 'true' } }
  pass(1000)
  for (const [, path, seen] of sections)
    expect((await browser.get(`${path}?seen=${seen}`, byScript)).status).toBe(204)
  await create(client)
  for (const [, path, seen] of sections) {
    const changed = await browser.get(`${path}?seen=${seen}`, byScript)
    expect(changed.status).toBe(200)
    expect(changed.text).toMatch(/^<div id="(now|figures)"/)
  }
})

test('the scripts of the charts are loaded only by the overview', async () => {
  const { browser } = await startOverview()
  const { text } = await browser.get('/')
  for (const name of ['uplot.css', 'uplot.js', 'charts.js']) {
    const [path = ''] = new RegExp(`/assets/[\\w-]+/${name}`).exec(text) ?? []
    expect(path, name).not.toBe('')
    expect((await browser.get(path)).status, name).toBe(200)
  }
  expect((await browser.get('/messages')).text).not.toContain('uplot')
})
