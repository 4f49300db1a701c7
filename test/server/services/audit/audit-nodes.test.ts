import { expect, test } from 'vitest'
import { Browser, readRows } from '../../dashboard/browser.js'
import { annEmail, bobEmail, openClient, password } from '../../dashboard/dashboard-relay.js'
import { fetchToken, invite } from '../../dashboard/people/people-rig.js'
import { openMigratedDatabase } from '../../store/postgres/test-postgres.js'
import { openNode } from '../../two-nodes.js'

/** Two nodes behind a proxy; Bob is an admin in the account of Ann, signed in at the first. */
async function start() {
  const database = await openMigratedDatabase()
  const nodes = [await openNode(database), await openNode(database)] as const
  for (const node of nodes) await node.start()
  const [first, second] = [nodes[0].url, nodes[1].url]
  const ann = await nodes[0].administration.createAccount({ email: annEmail, password })
  const browser = new Browser(first)
  await browser.signIn(annEmail, password)
  const link = await invite(browser, bobEmail, 'admin')
  const passwords = { new_password: password, repeated: password }
  await new Browser(first).post(link, passwords)
  const bob = new Browser(first)
  await bob.signIn(bobEmail, password)
  return { nodes, first, second, ann, browser, bob, log: openClient(second, ann).audit }
}

test('a change at one node is at once in the log of the other, with its person', async () => {
  const { second, bob, browser, log } = await start()
  const other = new Browser(second)
  await other.signIn(annEmail, password)
  for (const [name, from, email] of [
    ['Crew', bob, bobEmail],
    ['Staff', browser, annEmail],
  ] as const) {
    await from.submit('/contacts/groups', { name })
    const entries = await log.list({ action: 'group', target: name })
    expect(entries).toMatchObject([
      {
        ...{ action: 'group.create', target: { name }, address: '127.0.0.1', device: 'node' },
        actor: { kind: 'person', id: expect.any(String), name: email },
        request: expect.stringMatching(/./),
      },
    ])
    expect(readRows((await other.get('/audit?action=group')).text)[0]).toContain(email)
  }
})

test('changes at both nodes at once have one entry each, in one order', async () => {
  const { first, second, ann, log } = await start()
  const clients = [openClient(first, ann), openClient(second, ann)]
  const names = Array.from({ length: 20 }, (_, at) => `Group ${at}`)
  await Promise.all(names.map(async (name, at) => await clients[at % 2]?.groups.create(name)))
  const entries = await log.list({ action: 'group', count: 100 })
  expect(entries.map(({ target }) => target?.name).sort()).toEqual([...names].sort())
  const others = await openClient(first, ann).audit.list({ action: 'group', count: 100 })
  expect(others).toEqual(entries)
})

test('one of two nodes that remove the same thing has the entry', async () => {
  const { first, second, ann, log } = await start()
  const clients = [openClient(first, ann), openClient(second, ann)]
  for (let round = 0; round < 5; round += 1) {
    const { id } = await openClient(first, ann).groups.create(`Round ${round}`)
    const settled = await Promise.allSettled(
      clients.map(async client => await client.groups.delete(id)),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await log.list({ action: 'group.delete', target: id })).toHaveLength(1)
  }
})

test('a sign-in at one node is in the log of the other, once', async () => {
  const { first, log } = await start()
  const before = await log.list({ action: 'person.sign_in', count: 100 })
  await fetchToken(first, annEmail)
  const after = await log.list({ action: 'person.sign_in', count: 100 })
  expect(after).toHaveLength(before.length + 1)
  expect(after[0]).toMatchObject({ actor: { name: annEmail }, detail: 'User Login token' })
})
