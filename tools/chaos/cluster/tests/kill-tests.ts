import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient } from '../../harness/http-client.js'
import type { Cluster } from '../cluster.js'
import { type ClusterTest, runUnderLoad } from '../cluster-test.js'

const pollInterval = 20
/** Milliseconds. */
const timeLimit = 60_000
/** Bytes of a connection to the database in one direction: the largest place of a cut. */
const longestCut = 30_000
/** Milliseconds within which all nodes must serve after the database accepts connections. */
const maxRecovery = 2000

const killNodes: ClusterTest = {
  name: 'K1',
  title: '`kill -9` of random nodes',
  run: async context =>
    await runUnderLoad(context, { nodes: 3 }, async (cluster, { random, quick }) => {
      const kills = quick ? 2 : 30
      for (let kill = 0; kill < kills; kill += 1) {
        await sleep(random.below(1500))
        const node = cluster.nodes[random.below(cluster.nodes.length)]
        if (node !== undefined) await cluster.killNode(node)
      }
      return { made: kills }
    }),
}

const suspendNode: ClusterTest = {
  name: 'K2',
  title: 'A node suspended for 60 s, then continued',
  run: async context =>
    await runUnderLoad(context, { nodes: 2 }, async (cluster, { random, quick }) => {
      const rounds = quick ? 1 : 2
      for (let round = 0; round < rounds; round += 1) {
        const node = cluster.nodes[(round + random.below(2)) % cluster.nodes.length]
        if (node === undefined) continue
        await sleep(random.below(1000))
        const suspended = node.suspend(quick ? 40_000 : 60_000)
        cluster.balancer.remove(node.port)
        await suspended
        cluster.balancer.ports.add(node.port)
        // The next connections are spread over the nodes again.
        cluster.balancer.cutAll()
        await cluster.waitForMore(50)
      }
      return { made: rounds }
    }),
}

const killDatabase: ClusterTest = {
  name: 'K3',
  title: '`kill -9` of the postmaster',
  run: async context =>
    await runUnderLoad(context, { nodes: 2 }, async (cluster, { random, quick }) => {
      const kills = quick ? 1 : 5
      const times: number[] = []
      for (let kill = 0; kill < kills; kill += 1) {
        await cluster.waitForMore(20)
        await cluster.database.kill()
        await sleep(random.below(3000))
        await cluster.database.start()
        times.push(await measureRecovery(cluster))
      }
      const slowest = Math.round(Math.max(...times))
      const violations = slowest > maxRecovery ? [`a node served after ${slowest} ms`] : []
      return { made: kills, note: `all nodes serve after ${slowest} ms at most`, violations }
    }),
}

const cutConnections: ClusterTest = {
  name: 'K4',
  title: 'TCP connections to the database cut at random bytes',
  run: async context =>
    await runUnderLoad(context, { nodes: 2 }, async (cluster, { random, quick }) => {
      const proxy = cluster.databaseProxy
      const cuts = quick ? 50 : 2000
      const deadline = performance.now() + 10 * timeLimit
      proxy.chooseLimit = () => random.below(longestCut)
      // Connections from before have no limit.
      proxy.cutAll()
      while (proxy.cuts < cuts && performance.now() < deadline) await sleep(pollInterval)
      proxy.chooseLimit = () => undefined
      proxy.cutAll()
      const violations = proxy.cuts < cuts ? [`only ${proxy.cuts} cuts happened`] : []
      return { made: proxy.cuts, violations }
    }),
}

const terminateBackends: ClusterTest = {
  name: 'K5',
  title: 'All backends terminated every 2 s',
  run: async context =>
    await runUnderLoad(context, { nodes: 2 }, async (cluster, { quick }) => {
      const rounds = quick ? 3 : 30
      for (let round = 0; round < rounds; round += 1) {
        await sleep(2000)
        await terminateAll(cluster)
      }
      return { made: rounds }
    }),
}

export const killTests = [killNodes, suspendNode, killDatabase, cutConnections, terminateBackends]

/** Terminates all connections of the nodes. */
export async function terminateAll({ database }: Cluster): Promise<void> {
  await database.run(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'smsrelay%'`,
  )
}

/** Milliseconds until each node answers a request that reads the database. */
export async function measureRecovery({ nodes, keys }: Cluster): Promise<number> {
  const from = performance.now()
  const pair = Buffer.from(`${keys.secret_key}:${keys.api_key}`).toString('base64')
  const waitFor = async (port: number): Promise<void> => {
    while (performance.now() - from < timeLimit) {
      const client = new HttpClient(port)
      const headers = { authorization: `Basic ${pair}` }
      const reply = await client.request('GET', '/oauth', headers).catch(() => undefined)
      client.close()
      if (reply?.status === 200) return
      await sleep(pollInterval)
    }
  }
  await Promise.all(nodes.map(async ({ port }) => await waitFor(port)))
  return performance.now() - from
}
