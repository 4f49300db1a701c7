import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openMigratedDatabase } from '../../store/postgres/test-postgres.js'
import { openNode } from '../../two-nodes.js'
import { Browser, getHiddenField } from '../browser.js'
import { annEmail, openClient, password } from '../dashboard-relay.js'

/** Two nodes, and a browser that is signed in to both with the same cookie. */
async function start() {
  const url = await openMigratedDatabase()
  const nodes = [await openNode(url), await openNode(url)] as const
  for (const node of nodes) await node.start()
  const account = await nodes[0].administration.createAccount({ email: annEmail, password })
  const [first, second] = [new Browser(nodes[0].url), new Browser(nodes[1].url)]
  await first.signIn(annEmail, password)
  for (const [name, value] of first.cookies) second.cookies.set(name, value)
  const csrf = getHiddenField((await second.get('/')).text, 'csrf')
  return { first, second, csrf, client: openClient(nodes[0].url, account) }
}

test('texts that are sent to two nodes at once are sent once', async () => {
  const { first, second, csrf, client } = await start()
  const form = { csrf, key: randomUUID(), destination: '+12025550123', message: 'Hello' }
  const replies = await Promise.all([first, second].map(browser => browser.post('/send', form)))
  expect(new Set(replies.map(({ path }) => path)).size).toBe(1)
  expect(await client.messages.list({ filter: 'all' })).toHaveLength(1)
})

test('keys that a password opened at one node are shown and hidden at the other', async () => {
  const { first, second, csrf } = await start()
  const path = '/settings/keys'
  expect((await second.get(path)).text).not.toContain('whsec_')
  expect((await first.post(path, { csrf, password })).text).toContain('whsec_')
  expect((await second.get(path)).text).toContain('whsec_')
  expect((await second.post(path, { csrf, hide: '1' })).text).not.toContain('whsec_')
  expect((await first.get(path)).text).not.toContain('whsec_')
})

test('the other node shows why a sign-in failed, and signs in with the next form', async () => {
  const { first, second } = await start()
  for (const browser of [first, second]) browser.cookies.clear()
  const form = { email: annEmail, password: 'wrong' }
  const sent = await first.post('/login', form, { follow: false })
  for (const [name, value] of first.cookies) second.cookies.set(name, value)
  const page = await second.get(sent.headers.get('location') ?? '')
  expect([page.status, page.notice?.text]).toEqual([403, expect.stringContaining('is wrong')])
  expect((await second.post('/login', { ...form, password })).path).toBe('/')
})
