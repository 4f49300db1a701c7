import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Cluster } from '../cluster.js'
import {
  type ClusterTest,
  runUnderLoad,
  type TestContext,
  type TestResult,
} from '../cluster-test.js'
import { measureRecovery, terminateAll } from './kill-tests.js'
import { probeRefusal } from './probe-refusal.js'

/** Milliseconds for which an outage lasts: longer than a node waits for the database. */
const outage = 13_000
const maxConnections = 60
/** MiB of the tables, which have about 30 at the start. */
const diskSize = 96

const readOnly: ClusterTest = {
  name: 'K11a',
  title: 'The database is read-only',
  run: async context =>
    await runOutage(context, async ({ database }) => {
      await database.run('alter system set default_transaction_read_only = on')
      await database.run('select pg_reload_conf()')
      return async () => {
        await database.run('alter system reset default_transaction_read_only')
        await database.run('select pg_reload_conf()')
      }
    }),
}

const noConnections: ClusterTest = {
  name: 'K11b',
  title: 'The database is out of connections',
  run: async context =>
    await runOutage(
      context,
      async cluster => {
        const clients = await takeConnections(cluster)
        return async () => {
          for (const client of clients) await client.end()
        }
      },
      [`max_connections=${maxConnections}`, 'superuser_reserved_connections=0'],
    ),
}

const fullDisk: ClusterTest = {
  name: 'K11c',
  title: 'The disk of the database is full',
  run: async context =>
    await runOutage(
      context,
      async ({ database }) => database.fillDisk(),
      [],
      async database => {
        await database.shutDown()
        database.limitDisk(diskSize)
        await database.start()
      },
    ),
}

const failover: ClusterTest = {
  name: 'K11d',
  title: 'Failover to a synchronous standby',
  run: async context =>
    await runUnderLoad(
      context,
      { nodes: 2, settings: ['wal_level=replica', 'hot_standby=on'], prepare: addStandby },
      async cluster => {
        const { database, databaseProxy } = cluster
        await cluster.waitForMore(30)
        await database.kill()
        databaseProxy.target = undefined
        databaseProxy.cutAll()
        await sleep(1000)
        const port = database.standbyPort
        await database.run('select pg_promote()', port)
        databaseProxy.target = port
        // The new primary has no standby of its own.
        await database.run("alter system set synchronous_standby_names = ''", port)
        await database.run('select pg_reload_conf()', port)
        const time = Math.round(await measureRecovery(cluster))
        return { made: 1, note: `all nodes serve ${time} ms after the promotion` }
      },
    ),
}

export const outageTests = [readOnly, noConnections, fullDisk, failover]

/** Makes an outage that ends: requests must get 503 with Retry-After, then normal service. */
async function runOutage(
  context: TestContext,
  begin: (cluster: Cluster) => Promise<() => Promise<void> | void>,
  settings: readonly string[] = [],
  prepare = async (_: Cluster['database']): Promise<void> => {},
): Promise<TestResult> {
  return await runUnderLoad(context, { nodes: 2, settings, prepare }, async cluster => {
    const end = await begin(cluster)
    await terminateAll(cluster).catch(() => {})
    const violations = await probeRefusal(cluster, outage)
    await end()
    const time = Math.round(await measureRecovery(cluster))
    return { made: 1, note: `all nodes serve ${time} ms after its end`, violations }
  })
}

async function addStandby(database: Cluster['database']): Promise<void> {
  await database.shutDown()
  await database.startStandby()
}

/** Opens connections until the server refuses them, also those that the nodes had. */
async function takeConnections({ database }: Cluster): Promise<Client[]> {
  const clients: Client[] = []
  for (let failures = 0; failures < 3; ) {
    const client = new Client({ connectionString: database.url })
    client.on('error', () => {})
    try {
      await client.connect()
      clients.push(client)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'smsrelay%'`,
      )
    } catch {
      failures += 1
      await sleep(100)
    }
  }
  return clients
}
