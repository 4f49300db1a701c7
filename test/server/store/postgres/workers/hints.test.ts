import { expect, test } from 'vitest'
import { runSql } from '../test-postgres.js'
import { changeOf, openNode, openNodes, type TestNode } from './node-rig.js'

async function openPair(): Promise<{ url: string; first: TestNode; second: TestNode }> {
  const { url, nodes } = await openNodes(2)
  for (const { node } of nodes) await node.workerLeases.start()
  const [first, second] = nodes as [TestNode, TestNode]
  return { url, first, second }
}

test('a change reaches the other node as a summary', async () => {
  const { first, second } = await openPair()
  first.node.notify(changeOf('a', { events: ['message.create'], holders: ['t'] }))
  first.node.notify(changeOf('b', { messages: [], subscriptions: ['s'] }))
  first.node.notify(changeOf('a', { events: ['message.sent'] }))
  first.node.notify(changeOf('c', { messages: [] }))
  await expect.poll(() => second.changes.length).toBe(3)
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
  await expect.poll(() => second.changes.length).toBe(1000)
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
      second.clock.advance(1000)
      return second.changes.map(({ account }) => account)
    })
    .toEqual(['x', 'y'])
})

test('a node that lost its connection listens again and reports a gap', async () => {
  const { url, first, second } = await openPair()
  expect(second.gaps()).toBe(1)
  const text = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'smsrelay node'`
  await runSql(url, text)
  for (const node of [first, second]) {
    await expect
      .poll(() => {
        node.clock.advance(200)
        return node.gaps()
      })
      .toBe(2)
  }
  first.node.notify(changeOf('a'))
  await expect.poll(() => second.changes.length).toBe(1)
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

test('a lone node tells nothing, and a command tells it what it did', async () => {
  const { url, nodes } = await openNodes(1)
  const [first] = nodes as [TestNode]
  await first.node.workerLeases.start()
  first.node.notify(changeOf('a'))
  const command = openNode(url)
  command.node.notify(changeOf('b', { messages: [] }))
  await command.close()
  await expect.poll(() => first.changes.map(({ account }) => account)).toEqual(['a', 'b'])
  expect(await runSql(url, 'select payload from hint')).toEqual([{ payload: '[{"a":"b","o":1}]' }])
})
