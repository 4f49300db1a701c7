import { ClusterNode } from '../cluster-node.js'
import type { ClusterTest, TestContext } from '../cluster-test.js'
import { DatabaseServer } from '../database-server.js'

const startTogether: ClusterTest = {
  name: 'K8',
  title: 'Three nodes start on an empty database',
  run: async context => {
    const rounds = context.quick ? 1 : 5
    const violations: string[] = []
    for (let round = 0; round < rounds; round += 1) violations.push(...(await startOnce(context)))
    return { made: rounds, violations }
  },
}

export const startTests = [startTogether]

async function startOnce({ processes }: TestContext): Promise<string[]> {
  const database = await DatabaseServer.start()
  const nodes = Array.from(
    { length: 3 },
    (_, at) => new ClusterNode(processes, { name: `node ${at}`, database: database.url }),
  )
  try {
    await Promise.all(nodes.map(async node => await node.start()))
    const owners = nodes.filter(({ owner }) => owner !== undefined).length
    const [stored] = await database.run<{ accounts: number; steps: number }>(
      `select (select count(*)::int from account) as accounts,
        (select count(*)::int from schema_version) as steps`,
    )
    return [
      ...(owners === 1 ? [] : [`${owners} nodes printed the keys of an owner`]),
      ...(stored?.accounts === 1 ? [] : [`there are ${stored?.accounts} accounts`]),
      ...(stored?.steps === 1 ? [] : [`the schema has ${stored?.steps} versions`]),
    ]
  } finally {
    for (const node of nodes) await node.end('SIGKILL')
    await database.stop()
  }
}
