import { expect, onTestFinished, test } from 'vitest'
import { createRelay } from '../../../quick-relay.js'
import { openMigratedDatabase } from '../../store/postgres/test-postgres.js'
import { Browser } from '../browser.js'
import { annEmail, password } from '../dashboard-relay.js'

const minute = 60_000
const hour = 60 * minute
const ended = '/login?next=%2Fmessages'

/** Ann is signed in to two nodes with the same cookie. */
async function start() {
  const url = await openMigratedDatabase()
  let time = Date.UTC(2030, 0)
  const startNode = async () => {
    const relay = await createRelay({ database: { url }, port: 0 }, { now: () => time })
    onTestFinished(async () => await relay.stop())
    await relay.start()
    return relay
  }
  const [one, other] = [await startNode(), await startNode()]
  await one.administration.createAccount({ email: annEmail, password })
  const first = new Browser(one.url)
  await first.signIn(annEmail, password)
  const second = new Browser(other.url)
  for (const [name, value] of first.cookies) second.cookies.set(name, value)
  const advance = (milliseconds: number) => {
    time += milliseconds
  }
  return { one, first, second, advance }
}

/**
 * Where a request of an open page for its update leads; neither it nor its reply extend the
 * session.
 */
async function update(browser: Browser): Promise<string> {
  const headers = { 'X-Page-Version': 'x' }
  const { headers: reply, path } = await browser.get('/messages', { headers, follow: false })
  return reply.get('location') ?? path
}

test('activity at one node extends the session at the other', async () => {
  const { first, second, advance } = await start()
  expect(await update(second)).toBe('/messages')
  advance(12 * hour - minute)
  expect((await first.get('/messages')).path).toBe('/messages')
  advance(minute)
  await expect.poll(() => update(second)).toBe('/messages')
  advance(11 * hour + 58 * minute)
  expect(await update(second)).toBe('/messages')
  advance(minute)
  expect([await update(second), await update(first)]).toEqual([ended, ended])
})

test('a session ends 30 days after the sign-in at both nodes', async () => {
  const { first, second, advance } = await start()
  for (let hours = 0; hours < 30 * 24; hours += 10) {
    const browser = hours % 20 === 0 ? first : second
    await expect.poll(async () => (await browser.get('/messages')).path).toBe('/messages')
    advance(10 * hour)
  }
  expect([await update(second), await update(first)]).toEqual([ended, ended])
})

test('activity is known after its node has ended', async () => {
  const { one, first, second, advance } = await start()
  advance(11 * hour)
  expect((await first.get('/messages')).path).toBe('/messages')
  await one.stop()
  advance(12 * hour - minute)
  expect(await update(second)).toBe('/messages')
  advance(minute)
  expect(await update(second)).toBe(ended)
})
