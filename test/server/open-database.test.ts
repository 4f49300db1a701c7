import { expect, test } from 'vitest'
import AccountCreate from '../../commands/account/create.js'
import AccountList from '../../commands/account/list.js'
import DoNotTextAdd from '../../commands/do-not-text/add.js'
import { openAdministration, type Relay } from '../../src/index.js'
import { run } from '../commands/harness.js'
import { openTestDatabase } from './store/postgres/test-postgres.js'
import { claimAtAnotherNode, openNode } from './two-nodes.js'

test('three nodes that start on an empty database have one owner and all serve', async () => {
  const url = await openTestDatabase()
  const nodes = await Promise.all([openNode(url), openNode(url), openNode(url)])
  const start = async (node: Relay) => {
    await node.start()
    return await node.administration.createFirstAccount({ email: 'ann@example.com' })
  }
  const created = (await Promise.all(nodes.map(start))).filter(each => each !== undefined)
  expect(created).toHaveLength(1)
  for (const node of nodes) {
    expect(await node.administration.listAccounts()).toHaveLength(1)
    expect((await fetch(`${node.url}/login`)).status).toBe(200)
  }
})

test('a message that one node accepts is claimed by a phone that waits at another', async () => {
  const url = await openTestDatabase()
  const [first, second] = [await openNode(url), await openNode(url)]
  await Promise.all([first.start(), second.start()])
  await claimAtAnotherNode([first, second])
})

test('administration of a database creates tables only on request', async () => {
  const url = await openTestDatabase()
  await expect(openAdministration({ database: { url } })).rejects.toMatchObject({ code: 'usage' })
  const created = await openAdministration({ database: { url } }, { create: true })
  await created.createAccount({ email: 'ann@example.com' })
  await created.close()
})

test('account commands work on a database, also while a node runs on it', async () => {
  const url = await openTestDatabase()
  const database = ['--database', url]
  expect(await run(AccountList, database)).toMatchObject({ code: 2 })
  await run(AccountCreate, ['ann@example.com', ...database])
  const node = await openNode(url)
  await node.start()
  await run(AccountCreate, ['bob@example.com', ...database])
  const { stdout } = await run(AccountList, database)
  expect(stdout).toContain('bob@example.com')
  expect(await node.administration.listAccounts()).toHaveLength(2)
  const added = await run(DoNotTextAdd, ['+12025550123', '--service', ...database])
  expect(added).toMatchObject({ code: 0 })
  expect(await node.administration.listDoNotText()).toMatchObject([{ number: '+12025550123' }])
})
