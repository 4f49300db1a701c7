import { expect, test } from 'vitest'
import { json, type Reply, request, signInCaller } from '../../../conformance/calls.js'
import { openMigratedDatabase } from '../../store/postgres/test-postgres.js'
import { openNode } from '../../two-nodes.js'
import { Browser } from '../browser.js'
import { annEmail, bobEmail, password } from '../dashboard-relay.js'

const message = { message: { destination: '+12025550143', message: 'Hello' } }

/**
 * Two nodes; Bob is a sender in the account of Ann, signed in at the second node, which knows him.
 */
async function start() {
  const url = await openMigratedDatabase()
  const nodes = [await openNode(url), await openNode(url)] as const
  for (const node of nodes) await node.start()
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
  const send = async () => await bob.call('POST', '/message', json(message))
  expect((await send()).status).toBe(200)
  expect((await browser.get('/send')).status).toBe(200)
  return { administration, browser, send }
}

/** Milliseconds until a request has a status. */
async function measureUntil(
  status: number,
  send: () => Promise<Pick<Reply, 'status'>>,
): Promise<number> {
  const started = performance.now()
  await expect.poll(async () => (await send()).status, { interval: 20 }).toBe(status)
  return performance.now() - started
}

test('a changed role takes effect at the other node within a second', async () => {
  const { administration, browser, send } = await start()
  await administration.setRole(bobEmail, 'reader')
  expect(await measureUntil(403, send)).toBeLessThan(1000)
  expect((await browser.get('/send')).status).toBe(403)
  await administration.setRole(bobEmail, 'sender')
  expect(await measureUntil(200, send)).toBeLessThan(1000)
})

test('a removed person is signed out at the other node within a second', async () => {
  const { administration, browser, send } = await start()
  await administration.removePerson(bobEmail)
  expect(await measureUntil(401, send)).toBeLessThan(1000)
  expect((await browser.get('/')).path).toBe('/login')
})

test('a changed limit takes effect at the other node within a second', async () => {
  const { administration, send } = await start()
  await administration.changeLimits(annEmail, { messages_per_hour: 0 })
  expect(await measureUntil(429, send)).toBeLessThan(1000)
  await administration.changeLimits(annEmail, { messages_per_hour: null })
  expect(await measureUntil(200, send)).toBeLessThan(1000)
})
