import { expect, test } from 'vitest'
import { runSql } from '../test-postgres.js'
import { openNodes, type TestNode } from './node-rig.js'

test('one node does the chore, and another one after it is closed or dead', async () => {
  const { url, nodes } = await openNodes(3)
  const done: number[] = []
  const runAll = async (): Promise<void> => {
    for (const [at, { node }] of nodes.entries()) {
      await node.runExclusively('sweep', async () => void done.push(at))
    }
  }
  const [first, second, third] = nodes as [TestNode, TestNode, TestNode]
  for (const { node } of nodes) await node.workerLeases.start()
  await runAll()
  await runAll()
  expect(done).toEqual([0, 0])
  await first.close()
  nodes.shift()
  second.clock.advance(15_000)
  await runAll()
  expect(done).toEqual([0, 0, 0])
  await runSql(url, `delete from node where version = '${second.version}'`)
  nodes.shift()
  third.clock.advance(15_000)
  await runAll()
  expect(done).toEqual([0, 0, 0, 0])
  expect(await runSql(url, 'select count(*)::int as count from chore')).toEqual([{ count: 1 }])
})

test('a chore that fails is the error of its caller', async () => {
  const { nodes } = await openNodes(1)
  const failing = nodes[0]?.node.runExclusively('sweep', async () => {
    throw new Error('The sweep failed.')
  })
  await expect(failing).rejects.toThrow('The sweep failed.')
})
