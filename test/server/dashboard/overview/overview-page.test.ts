import { expect, test } from 'vitest'
import { createClockAt } from '../../../util/async/fake-clock.js'
import { Browser, startRelay } from '../browser.js'

const start = Date.UTC(2030, 5, 15, 23, 40)
const offsetCookie = 'smsrelay_utc_offset'

async function world(settings = {}) {
  let now = start
  const { relay, ann, url, defects } = await startRelay(settings, {
    clock: createClockAt(() => now),
  })
  const browser = new Browser(url)
  await browser.signIn()
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { relay, ann, url, browser, defects, pass }
}

type Keys = { secret_key: string; api_key: string; app_key: string }

async function headersOf(url: string, user: string, password: string) {
  const Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const issued = await fetch(`${url}/oauth`, { headers: { Authorization } })
  const { access_token } = (await issued.json()) as { access_token: string }
  return { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' }
}

async function create(url: string, ann: Keys, destination = '+12025550143') {
  const headers = await headersOf(url, ann.secret_key, ann.api_key)
  const body = JSON.stringify({ message: { destination, message: 'Hello' } })
  const made = await fetch(`${url}/api/1/message`, { method: 'POST', headers, body })
  expect(made.status).toBe(200)
}

/** A phone that takes what is due and reports success. */
async function phone(url: string, ann: Keys, said: Record<string, string>) {
  const headers = { ...(await headersOf(url, ann.secret_key, ann.app_key)), ...said }
  const next = async () => await fetch(`${url}/api/1/message/next`, { headers })
  const send = async () => {
    const { message } = (await (await next()).json()) as { message: { id: string } }
    const path = `${url}/api/1/message/${message.id}/success`
    await fetch(path, { method: 'PUT', headers, body: '{"parts":1}' })
  }
  return { next, send }
}

/** Names of tiles with their figures. */
function tiles(html: string): Record<string, string> {
  const found = html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]))
}

/** The newest row of a table of figures. */
function newest(html: string, table: string): string[] {
  const [, row = ''] =
    new RegExp(`<div id="${table}-figures">.*?<tbody><tr>(.*?)</tr>`, 's').exec(html) ?? []
  return [...row.matchAll(/>([^<>]+)</g)].map(([, text]) => text ?? '')
}

test('an empty account is told its first steps, with the address of the relay', async () => {
  const { browser, url } = await world()
  const seen = await browser.get('/')
  expect(seen.text).toContain(`smsrelay login --url ${url}`)
  expect(seen.text).toContain('smsrelay phone --driver simulate')
  expect(seen.text).toContain('No phone has asked for a message yet.')
  expect(seen.text).toContain('href="/send">Send a message')
})

test('first steps go when they were taken', async () => {
  const { browser, url, ann } = await world()
  await create(url, ann)
  expect((await browser.get('/')).text).toContain('First steps')
  await (await phone(url, ann, {})).send()
  expect((await browser.get('/')).text).not.toContain('First steps')
})

test('what happened today and what waits is counted, of this account alone', async () => {
  const { browser, url, ann, relay } = await world()
  const bob = await relay.administration.createAccount({ email: 'bob@example.com' })
  await create(url, bob)
  for (let count = 0; count < 3; count += 1) await create(url, ann)
  const pixel = await phone(url, ann, { 'X-Phone-Name': 'pixel' })
  await pixel.send()
  await pixel.next()
  const seen = tiles((await browser.get('/')).text)
  expect(seen).toEqual({
    ...{ Created: '3', Sent: '1', Failed: '0', Blocked: '0' },
    ...{ 'Waiting in all': '2', 'Due now': '1', 'In the hands of phones': '1' },
  })
})

test('since when the oldest message waits is shown', async () => {
  const { browser, url, ann, pass } = await world()
  await create(url, ann)
  pass(120_000)
  expect((await browser.get('/')).text).toContain('waited since <time datetime="2030-06-15T23:40')
})

test('days begin when they do where the reader is', async () => {
  const { browser, url, ann } = await world()
  await create(url, ann)
  const utc = (await browser.get('/')).text
  expect(newest(utc, 'days')).toEqual(['2030-06-15', '0', '0', '1', '0'])
  expect(newest(utc, 'hours')).toEqual(['2030-06-15 23:00', '0', '0', '1', '0'])
  browser.cookies.set(offsetCookie, '120')
  const east = (await browser.get('/')).text
  expect(newest(east, 'days')).toEqual(['2030-06-16', '0', '0', '1', '0'])
  expect(east).toContain('Today, by UTC+02:00')
  browser.cookies.set(offsetCookie, '-210')
  expect((await browser.get('/')).text).toContain('Today, by UTC-03:30')
})

test('an offset that no clock has counts as none', async () => {
  const { browser, defects } = await world()
  for (const wrong of ['901', '7', '-721', 'NaN', '1e3', '<b>', '']) {
    browser.cookies.set(offsetCookie, wrong)
    expect((await browser.get('/')).text, wrong).toContain('Today, by UTC<')
  }
  expect(defects).toEqual([])
})

test('a phone is shown with its driver; when it is silent, what to do, and forgetting it', async () => {
  const { browser, url, ann, pass } = await world()
  await (await phone(url, ann, { 'X-Phone-Name': 'a/b', 'X-Phone-Driver': 'termux' })).next()
  const alive = (await browser.get('/')).text
  expect(alive).toContain('<td>a/b</td><td>termux</td>')
  expect(alive).toContain('>Alive</span>')
  expect(alive).not.toContain('Silent')
  await create(url, ann)
  pass(6 * 60_000)
  const silent = (await browser.get('/')).text
  expect(silent).toContain('The phone a/b has given no sign of life for five minutes or more.')
  expect(silent).toContain('1 message is due')
  const after = await browser.submit('/phones/a%2Fb/forget')
  expect(after.text).toContain('The phone a/b is forgotten')
  expect(after.text).toContain('No phone has asked for a message yet.')
})

test('a phone at rest is shown with the end of its rest, and one that waits as waiting', async () => {
  const { browser, url, ann, pass } = await world()
  const said = { 'X-Phone-Name': 'pixel', 'X-Phone-Driver': 'termux' }
  const headers = { ...(await headersOf(url, ann.secret_key, ann.app_key)), ...said }
  const isThere = async (rest = {}) =>
    await fetch(`${url}/api/1/message/queue`, { headers: { ...headers, ...rest } })
  await isThere({ 'X-Phone-Quiet-Until': '2030-06-16 07:00:00' })
  const until = '<time datetime="2030-06-16T07:00:00.000Z">2030-06-16 07:00:00 UTC</time>'
  const row = `<td>pixel</td><td>termux</td><td><span class="badge new">Quiet</span> until ${until}`
  expect((await browser.get('/')).text).toContain(`${row}</td><td><span>never</span></td>`)
  pass(6 * 60_000)
  await isThere()
  const waiting = (await browser.get('/')).text
  expect(waiting).toContain('<span class="badge new">Waiting</span></td><td><span>never</span>')
  expect(waiting).not.toContain('no sign of life')
})

test("another account's phone cannot be forgotten", async () => {
  const { browser, url, relay } = await world()
  const bob = await relay.administration.createAccount({ email: 'bob@example.com' })
  await (await phone(url, bob, { 'X-Phone-Name': 'bobs' })).next()
  expect((await browser.get('/')).text).not.toContain('bobs')
  expect((await browser.submit('/phones/bobs/forget')).status).toBe(404)
  const other = new Browser(url)
  const { password } = await relay.administration.setPassword('bob@example.com')
  await other.signIn('bob@example.com', password)
  expect((await other.get('/')).text).toContain('<td>bobs</td>')
})

test('what a phone says of itself is text', async () => {
  const { browser, url, ann, pass, defects } = await world()
  const evil = '"><img src=x onerror=alert(1)>'
  await (await phone(url, ann, { 'X-Phone-Name': evil, 'X-Phone-Driver': '<script>' })).next()
  for (const wait of [0, 6 * 60_000]) {
    pass(wait)
    const { text } = await browser.get('/')
    expect(text).toContain('&lt;img src=x')
    expect(text).not.toContain('<img')
    expect(text).not.toContain('<script>')
  }
  const [, action = ''] = /action="(\/phones\/[^"]*)"/.exec((await browser.get('/')).text) ?? []
  expect((await browser.submit(action)).text).toContain('is forgotten')
  expect(defects).toEqual([])
})

test('live parts are answered alone, and with nothing while they are as they were', async () => {
  const { browser, url, ann, pass } = await world()
  await (await phone(url, ann, { 'X-Phone-Name': 'pixel' })).next()
  const { text } = await browser.get('/')
  const seen = [...text.matchAll(/hx-get="([^"]*)" hx-vals="\{&#34;seen&#34;:&#34;([^&]*)/g)]
  expect(seen.map(([, path]) => path)).toEqual(['/', '/overview/figures'])
  const headers = { 'HX-Request': 'true' }
  pass(1000)
  for (const [, path, mark] of seen) {
    expect((await browser.get(`${path}?seen=${mark}`, { headers })).status).toBe(204)
  }
  await create(url, ann)
  for (const [, path, mark] of seen) {
    const changed = await browser.get(`${path}?seen=${mark}`, { headers })
    expect(changed.status).toBe(200)
    expect(changed.text).toMatch(/^<div id="(now|figures)"/)
  }
})

test('the charts are drawn by files of the service', async () => {
  const { browser } = await world()
  const { text } = await browser.get('/')
  for (const name of ['uplot.css', 'uplot.js', 'charts.js']) {
    const [path = ''] = new RegExp(`/assets/[\\w-]+/${name}`).exec(text) ?? []
    expect(path, name).not.toBe('')
    expect((await browser.get(path)).status, name).toBe(200)
  }
  expect((await browser.get('/messages')).text).not.toContain('uplot')
})
