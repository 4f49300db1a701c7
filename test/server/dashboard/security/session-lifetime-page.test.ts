import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RelaySettings } from '../../../../src/index.js'
import { createRelay } from '../../../quick-relay.js'
import { Browser, type PageReply, readRows } from '../browser.js'
import { annEmail, openClient, password, startRelay } from '../dashboard-relay.js'

const minute = 60_000
const hour = 60 * minute
const ended = '/login?next=%2Fmessages'
const byScript = { headers: { 'X-Page-Version': 'x' } }

async function start(settings: Partial<RelaySettings> = {}) {
  let time = Date.UTC(2030, 0)
  const relay = await startRelay(settings, { now: () => time })
  const browser = await relay.openBrowser()
  const advance = (milliseconds: number) => {
    time += milliseconds
  }
  return { ...relay, browser, advance, now: () => time }
}

/** Where a request of a person for a page leads. */
async function open(browser: Browser): Promise<string> {
  return (await browser.get('/messages')).path
}

test('a session works 11 h 59 min after a page or form, and has ended after 12 h', async () => {
  const { browser, advance } = await start()
  const acts: readonly (() => Promise<PageReply>)[] = [
    async () => await browser.get('/messages'),
    async () => await browser.submit('/settings/theme', { theme: 'dark' }),
  ]
  for (const act of acts) {
    advance(12 * hour - minute)
    expect((await act()).path).not.toMatch(/^\/login/)
  }
  advance(12 * hour)
  expect(await open(browser)).toBe(ended)
})

test('an open page that updates itself does not extend the session', async () => {
  const { browser, advance } = await start()
  for (let hours = 0; hours < 10; hours += 2) {
    advance(2 * hour)
    expect((await browser.get('/messages', byScript)).status).toBe(200)
  }
  advance(2 * hour - 1)
  expect((await browser.get('/messages', byScript)).path).toBe('/messages')
  advance(1)
  expect((await browser.get('/messages', byScript)).path).toBe(ended)
})

test('an event stream does not extend the session, and ends with it', async () => {
  const { browser, advance, url, ann } = await start()
  const cookies = [...browser.cookies].map(pair => pair.join('=')).join('; ')
  const headers = { Accept: 'text/event-stream', Cookie: cookies }
  advance(6 * hour)
  const stream = await fetch(`${url}/live`, { headers })
  expect(stream.status).toBe(200)
  advance(6 * hour)
  const { messages } = openClient(url, ann)
  await messages.create({ destination: '+12025550123', message: 'Hello' })
  // Resolves at the end of the stream.
  await stream.text()
  expect((await fetch(`${url}/live`, { headers, redirect: 'manual' })).status).toBe(303)
  expect(await open(browser)).toBe(ended)
})

test('a session ends 30 days after the sign-in, however much it is used', async () => {
  const { browser, advance } = await start()
  for (let hours = 0; hours < 30 * 24; hours += 10) {
    expect(await open(browser), `${hours} h`).toBe('/messages')
    advance(10 * hour)
  }
  expect(await open(browser)).toBe(ended)
  const { browser: other, advance: advanceOther } = await start()
  for (let days = 0; days < 60; days += 1) {
    advanceOther(12 * hour - 1)
    expect(await open(other)).toBe('/messages')
  }
  advanceOther(60)
  expect(await open(other)).toBe(ended)
})

test('the list of sessions has the last activity to the minute', async () => {
  const { browser, openBrowser, advance } = await start()
  const other = await openBrowser()
  const readActivity = async () => readRows((await other.get('/settings/security')).text)[1]?.[3]
  advance(2 * hour)
  await open(browser)
  advance(20 * minute)
  await open(browser)
  await browser.get('/messages', byScript)
  advance(5 * minute)
  await browser.get('/messages', byScript)
  await expect.poll(readActivity).toBe('5 min ago')
})

test('the list of sessions names no wrong activity in the last 12 hours of a session', async () => {
  const { browser, openBrowser, advance } = await start()
  for (let hours = 0; hours < 30 * 24 - 12; hours += 11) {
    expect(await open(browser)).toBe('/messages')
    advance(11 * hour)
  }
  await open(browser)
  advance(2 * hour)
  const { text } = await (await openBrowser()).get('/settings/security')
  expect(readRows(text)[1]?.[3]).toBe('in the last 12 hours')
})

test('a session ends at the same time after a restart of the relay', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-sessions-'))
  onTestFinished(async () => await rm(dataDir, { recursive: true }))
  let time = Date.UTC(2030, 0)
  const startOn = async () => {
    const relay = await createRelay({ dataDir, port: 0 }, { now: () => time })
    onTestFinished(async () => await relay.stop())
    await relay.start()
    return relay
  }
  const first = await startOn()
  await first.administration.createAccount({ email: annEmail, password })
  const browser = new Browser(first.url)
  await browser.signIn(annEmail, password)
  time += 11 * hour
  await open(browser)
  await first.stop()
  for (const [wait, path] of [
    [12 * hour - 1, '/messages'],
    [12 * hour, ended],
  ] as const) {
    const relay = await startOn()
    time += wait
    const moved = new Browser(relay.url)
    for (const [name, value] of browser.cookies) moved.cookies.set(name, value)
    expect(await open(moved)).toBe(path)
    await relay.stop()
  }
})

test('tokens of the API have a lifetime of their own', async () => {
  const { browser, advance, url, ann } = await start({ tokenLifetime: 600 })
  const issue = async (user: string, secret: string) => {
    const basic = Buffer.from(`${user}:${secret}`).toString('base64')
    const reply = await fetch(`${url}/oauth`, { headers: { Authorization: `Basic ${basic}` } })
    return ((await reply.json()) as { access_token: string }).access_token
  }
  const use = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    return (await fetch(`${url}/api/1/user`, { headers })).status
  }
  const tokens = [await issue(annEmail, password), await issue(ann.secret_key, ann.api_key)]
  const useAll = async () => await Promise.all(tokens.map(use))
  for (let uses = 0; uses < 3; uses += 1) {
    advance(600_000 - 1)
    expect(await useAll()).toEqual([200, 200])
  }
  advance(600_000)
  expect(await useAll()).toEqual([401, 401])
  expect(await open(browser)).toBe('/messages')
})
