import { expect, test } from 'vitest'
import type { Administration } from '../../../../src/server/admin/administration.js'
import { json, request, signInCaller } from '../../../conformance/calls.js'
import { openMigratedDatabase } from '../../store/postgres/test-postgres.js'
import { expectWithinSecond, startNodesWithClock } from '../../two-nodes.js'
import { Browser } from '../browser.js'
import { annEmail, bobEmail, password } from '../dashboard-relay.js'

const message = { message: { destination: '+12025550143', message: 'Hello' } }

/**
 * Two nodes; Bob is a sender in the account of Ann, signed in at the second node, which knows him.
 */
async function start() {
  const url = await openMigratedDatabase()
  const { clock, nodes } = await startNodesWithClock(url)
  const [first, second] = [nodes[0].url, nodes[1].url]
  const { administration } = nodes[0]
  const draft = { email: annEmail, password }
  await administration.createAccount(draft)
  const invitation = { account: annEmail, email: bobEmail, role: 'sender', url: first }
  const { url: link } = await administration.invitePerson(invitation)
  const passwords = { new_password: password, repeated: password }
  await request(link, 'POST', { body: new URLSearchParams(passwords) })
  const bob = await signInCaller(second, bobEmail, password)
  const browser = new Browser(second)
  await browser.signIn(bobEmail, password)
  const send = async () => (await bob.call('POST', '/message', json(message))).status
  expect(await send()).toBe(200)
  expect((await browser.get('/send')).status).toBe(200)
  const expectStatus = async (status: number) => await expectWithinSecond(clock, send, status)
  return { first, second, administration, browser, expectStatus, clock }
}

/** Opens the stream of a page at a node. */
async function openStream(url: string, { cookies }: Browser): Promise<{ ended: Promise<string> }> {
  const Cookie = [...cookies].map(pair => pair.join('=')).join('; ')
  const headers = { Accept: 'text/event-stream', Cookie }
  const stream = await fetch(`${url}/live`, { headers })
  expect(stream.status).toBe(200)
  return { ended: stream.text() }
}

test('a changed role takes effect at the other node within a second', async () => {
  const { administration, browser, expectStatus } = await start()
  await administration.setRole(bobEmail, 'reader')
  await expectStatus(403)
  expect((await browser.get('/send')).status).toBe(403)
  await administration.setRole(bobEmail, 'sender')
  await expectStatus(200)
})

test('a removed person is signed out at the other node within a second', async () => {
  const { administration, browser, expectStatus } = await start()
  await administration.removePerson(bobEmail)
  await expectStatus(401)
  expect((await browser.get('/')).path).toBe('/login')
})

test('a changed limit takes effect at the other node within a second', async () => {
  const { administration, expectStatus } = await start()
  await administration.changeLimits(annEmail, { messages_per_hour: 0 })
  await expectStatus(429)
  await administration.changeLimits(annEmail, { messages_per_hour: null })
  await expectStatus(200)
})

test('an invitation that is accepted at two nodes at once makes one person', async () => {
  const { first, second, administration, clock } = await start()
  // People are listed in the order of the milliseconds in which they joined.
  clock.advance(1)
  const invitation = { account: annEmail, email: 'carl@example.com', role: 'admin', url: first }
  const { url: link } = await administration.invitePerson(invitation)
  const passwords = () => new URLSearchParams({ new_password: password, repeated: password })
  const links = [link, link.replace(first, second)]
  const accept = async (url: string) =>
    (await fetch(url, { method: 'POST', body: passwords(), redirect: 'manual' })).headers
  const replies = await Promise.all([...links, ...links].map(accept))
  const isAccepted = replies.map(headers => headers.get('location') === '/login')
  expect(isAccepted.sort()).toEqual([false, false, false, true])
  expect((await administration.listPeople()).map(({ email }) => email)).toEqual([
    bobEmail,
    'carl@example.com',
  ])
})

test.each<[string, (browser: Browser, administration: Administration) => Promise<unknown>]>([
  ['sign-out', async browser => await browser.submit('/logout')],
  ['removal', async (_, administration) => await administration.removePerson(bobEmail)],
  ['reset', async (_, administration) => await administration.resetSecondFactor(bobEmail)],
])('a %s at one node ends the stream of a page at the other', async (_, end) => {
  const { first, second, administration, browser, clock } = await start()
  const { ended } = await openStream(second, browser)
  const moved = new Browser(first)
  for (const [name, value] of browser.cookies) moved.cookies.set(name, value)
  await end(moved, administration)
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  await expectWithinSecond(clock, async () => hasEnded, true)
})
