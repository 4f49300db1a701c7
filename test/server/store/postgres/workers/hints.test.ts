import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { runSql } from '../test-postgres.js'
import { changeOf, openNode, openNodes, type TestNode } from './node-rig.js'

async function openPair(): Promise<{ url: string; first: TestNode; second: TestNode }> {
  const { url, nodes } = await openNodes(2)
  for (const { node } of nodes) await node.workerLeases.start()
  const [first, second] = nodes as [TestNode, TestNode]
  await expect.poll(second.gaps).toBe(2)
  return { url, first, second }
}

/** How many changes a node was told, once others may send again. */
function countChanges({ changes }: TestNode, sender: TestNode): number {
  sender.clock.advance(5)
  return changes.length
}

test('a change reaches the other node as a summary', async () => {
  const { first, second } = await openPair()
  first.node.notify(changeOf('a', { events: ['message.create'], holders: ['t'] }))
  first.node.notify(changeOf('b', { messages: [], subscriptions: ['s'] }))
  first.node.notify(changeOf('a', { events: ['message.sent'] }))
  first.node.notify(changeOf('c', { messages: [] }))
  await expect.poll(() => countChanges(second, first)).toBe(3)
  const nothing = { messages: [], subscriptions: [], holders: [], events: [] }
  expect(second.changes).toEqual([
    {
      ...nothing,
      account: 'a',
      events: ['message.create', 'message.sent'],
      holders: ['t'],
      foreign: { messages: true, subscriptions: false },
    },
    { ...nothing, account: 'b', foreign: { messages: false, subscriptions: true } },
    { ...nothing, account: 'c' },
  ])
  expect(first.changes).toHaveLength(4)
})

test('changes of very many accounts are told in several notifications', async () => {
  const { first, second } = await openPair()
  const names = Array.from({ length: 1000 }, (_, at) => `account-with-a-long-name-${at}`)
  for (const name of names) first.node.notify(changeOf(name))
  await expect.poll(() => countChanges(second, first)).toBe(1000)
  expect(second.changes.map(({ account }) => account)).toEqual(names)
})

test('a hint without its notification is read from the table, once', async () => {
  const { url, first, second } = await openPair()
  const text = `insert into hint (node, payload)
    values (gen_random_uuid(), '[{"a":"x","m":1,"e":["unknown.event"]}]')`
  await runSql(url, text)
  await expect
    .poll(() => {
      second.clock.advance(1000)
      return second.changes.length
    })
    .toBe(1)
  first.node.notify(changeOf('y'))
  await expect
    .poll(() => {
      for (const { clock } of [first, second]) clock.advance(1000)
      return second.changes.map(({ account }) => account)
    })
    .toEqual(['x', 'y'])
})

test('a node that lost its connection listens again and reports a gap', async () => {
  const { url, first, second } = await openPair()
  await expect.poll(() => [first, second].map(({ gaps }) => gaps())).toEqual([1, 2])
  const text = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'smsrelay node'`
  await runSql(url, text)
  for (const [at, node] of [first, second].entries()) {
    await expect
      .poll(() => {
        node.clock.advance(200)
        return node.gaps()
      })
      .toBe(at + 2)
  }
  first.node.notify(changeOf('a'))
  await expect.poll(() => countChanges(second, first)).toBe(1)
})

test('a node without notifications finds changes within 200 ms', async () => {
  const { url, nodes } = await openNodes(1)
  const [first] = nodes as [TestNode]
  const deaf = openNode(url, true)
  for (const { node } of [deaf, first]) await node.workerLeases.start()
  first.node.notify(changeOf('a'))
  await expect.poll(async () => await runSql(url, 'select id from hint')).toHaveLength(1)
  deaf.clock.advance(200)
  await expect.poll(() => deaf.changes.length).toBe(1)
})

test('a hint that becomes visible after a later one is read, once', async () => {
  const { url, nodes } = await openNodes(1)
  const deaf = openNode(url, true)
  for (const { node } of [deaf, ...nodes]) await node.workerLeases.start()
  const slow = new Client({ connectionString: url })
  await slow.connect()
  onTestFinished(async () => await slow.end())
  const insert = (name: string) =>
    `insert into hint (node, payload) values (gen_random_uuid(), '[{"a":"${name}","m":1}]')`
  const readAll = async (expected: string[]): Promise<void> => {
    await expect
      .poll(() => {
        // Slowly, as a hint has 2 s to become visible.
        deaf.clock.advance(20)
        return deaf.changes.map(({ account }) => account)
      })
      .toEqual(expected)
  }
  await slow.query('begin')
  await slow.query(insert('first'))
  await runSql(url, insert('second'))
  await readAll(['second'])
  await runSql(url, insert('third'))
  await readAll(['second', 'third'])
  await slow.query('commit')
  await readAll(['second', 'third', 'first'])
  await runSql(url, insert('fourth'))
  await readAll(['second', 'third', 'first', 'fourth'])
})

test('hints are numbered by a sequence that survives a crash of the database', async () => {
  const { url } = await openNodes(0)
  const text = "select relpersistence from pg_class where relname = 'hint_number'"
  expect(await runSql(url, text)).toEqual([{ relpersistence: 'p' }])
})

test('a node that has no notifications never takes itself for the only one', async () => {
  const { url } = await openNodes(0)
  const [first, second] = [openNode(url, true), openNode(url, true)]
  for (const { node } of [first, second]) await node.workerLeases.start()
  first.node.notify(changeOf('a'))
  await expect
    .poll(() => {
      second.clock.advance(200)
      return second.changes.map(({ account }) => account)
    })
    .toEqual(['a'])
})

test('a node that was alone tells a new one that it may have missed changes', async () => {
  const { url, nodes } = await openNodes(1)
  const [first] = nodes as [TestNode]
  await first.node.workerLeases.start()
  const second = openNode(url)
  await second.node.workerLeases.start()
  await expect.poll(second.gaps).toBe(2)
})

test('nodes look for changes of a node that died before it told of them', async () => {
  const { url, nodes } = await openNodes(3)
  for (const { node } of nodes) await node.workerLeases.start()
  const [first, dead, third] = nodes as [TestNode, TestNode, TestNode]
  await expect.poll(dead.gaps).toBe(2)
  const [before, beforeThird] = [first.gaps(), third.gaps()]
  await expect
    .poll(async () => {
      await runSql(url, `update node set until = 0 where version = '${dead.version}'`)
      first.clock.advance(5000)
      return first.gaps()
    })
    .toBeGreaterThan(before)
  await expect.poll(third.gaps).toBeGreaterThan(beforeThird)
})

test('a lone node tells nothing, and a command tells it what it did', async () => {
  const { url, nodes } = await openNodes(1)
  const [first] = nodes as [TestNode]
  await first.node.workerLeases.start()
  const runCommand = async (account: string): Promise<void> => {
    const command = openNode(url)
    command.node.notify(changeOf(account, { messages: [] }))
    await command.close()
  }
  const listAccounts = () => first.changes.map(({ account }) => account)
  await runCommand('a')
  // Notifications come in order: by now the node knows that it receives its own.
  await expect.poll(listAccounts).toEqual(['a'])
  first.node.notify(changeOf('b'))
  await runCommand('c')
  await expect.poll(listAccounts).toEqual(['a', 'b', 'c'])
  const payloads = ['a', 'c'].map(name => ({ payload: `[{"a":"${name}","o":1}]` }))
  expect(await runSql(url, 'select payload from hint order by id')).toEqual(payloads)
})
