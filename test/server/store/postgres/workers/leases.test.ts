import { expect, test } from 'vitest'
import { runSql } from '../test-postgres.js'
import { accounts, openNode, openNodes, type TestNode } from './node-rig.js'

const second = 1000

/** Lets nodes renew their rows until each has its share of the buckets. */
async function settle(url: string, nodes: readonly TestNode[]): Promise<void> {
  const share = 256 / nodes.length
  const count = async (): Promise<number[]> => {
    for (const { clock } of nodes) clock.advance(5 * second)
    return await countOwners(url)
  }
  await expect.poll(count).toEqual(nodes.map(() => share))
  const held = (): string[] => nodes.flatMap(node => node.accounts()).toSorted()
  await expect.poll(held).toEqual(accounts.toSorted())
}

async function countOwners(url: string): Promise<number[]> {
  const text = `select count(*)::int as count from subscription_bucket
    where owner is not null group by owner order by 1`
  return (await runSql<{ count: number }>(url, text)).map(({ count }) => count)
}

test('one node has all accounts, and a second one gets half of them', async () => {
  const { url, nodes } = await openNodes(1)
  const [first] = nodes
  await first?.node.workerLeases.start()
  expect(first?.accounts()).toHaveLength(accounts.length)
  const second = openNode(url)
  await second.node.workerLeases.start()
  const both = [...nodes, second]
  await settle(url, both)
  await second.node.workerLeases.stop()
  expect(second.accounts()).toEqual([])
  await settle(url, nodes)
})

test('a bucket moves when its webhooks in flight have ended', async () => {
  const { url, nodes } = await openNodes(1)
  const [first] = nodes as [TestNode]
  await first.node.workerLeases.start()
  let finish = (): void => {}
  const webhook = new Promise<void>(resolve => {
    finish = resolve
  })
  for (const account of accounts) void first.node.workerLeases.find(account)?.track(webhook)
  const other = openNode(url)
  await other.node.workerLeases.start()
  await expect.poll(() => first.accounts().length).toBeLessThan(accounts.length)
  expect(await countOwners(url)).toEqual([256])
  finish()
  await settle(url, [first, other])
})

test('others take the accounts of a dead node, under a higher epoch', async () => {
  const { url, nodes } = await openNodes(2)
  const [first, second] = nodes as [TestNode, TestNode]
  for (const { node } of nodes) await node.workerLeases.start()
  await settle(url, nodes)
  const [moved = ''] = second.accounts()
  const before = second.node.workerLeases.find(moved)
  await expect
    .poll(async () => {
      // Again, because a renewal may still be in progress.
      await runSql(url, `update node set until = 0 where version = '${second.version}'`)
      first.clock.advance(5 * 1000)
      return await countOwners(url)
    })
    .toEqual([256])
  await settle(url, [first])
  expect(first.node.workerLeases.find(moved)?.epoch).toBeGreaterThan(before?.epoch ?? 0)
  // The dead node was only suspended: it notices that it lost its accounts, and comes back.
  expect(before?.canStart()).toBe(true)
  const gaps = second.gaps()
  second.clock.advance(5 * 1000)
  await expect.poll(() => before?.ending?.aborted).toBe(true)
  expect(before?.canStart()).toBe(false)
  await expect.poll(second.gaps).toBeGreaterThan(gaps)
  await settle(url, nodes)
})

test('without the database a webhook may start for 10 s, and run for 28 s', async () => {
  const { nodes } = await openNodes(1)
  const [first] = nodes as [TestNode]
  await first.node.workerLeases.start()
  const lease = first.node.workerLeases.find('a')
  // Closing moves the clock by a second.
  await first.close()
  first.clock.advance(9 * second)
  expect(lease?.canStart()).toBe(true)
  first.clock.advance(1)
  expect(lease?.canStart()).toBe(false)
  first.clock.advance(18 * second - 2)
  expect(lease?.ending?.aborted).toBe(false)
  first.clock.advance(1)
  expect(lease?.ending?.aborted).toBe(true)
})
