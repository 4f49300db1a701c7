import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { prepareSchema } from '../../../../../src/server/store/postgres/schema/schema.js'
import { HintChannel } from '../../../../../src/server/store/postgres/workers/hint-channel.js'
import { FakeClock } from '../../../../util/async/fake-clock.js'
import { claimAtAnotherNode, openNode } from '../../../two-nodes.js'
import { testChanges } from '../../suite/changes-suite.js'
import { testClaims } from '../../suite/claims-suite.js'
import { testIdempotency } from '../../suite/idempotency-suite.js'
import { createDatabaseAt } from '../postgres-rig.js'
import { connectToDatabase, openMigratedDatabase } from '../test-postgres.js'
import { hasPgBouncer, usePgBouncer } from './pgbouncer.js'

/** A channel of hints whose notifications go over two connections. */
async function openChannel(url: string, clock = new FakeClock()) {
  await prepareSchema({ connectionString: url })
  const database = connectToDatabase(url)
  const connections = {
    connection: database.connect('node', { onNotification: (_, text) => channel.receive(text) }),
    sender: database.connect('other'),
  }
  const ignore = () => {}
  const receiver = { onHint: ignore, onNodes: ignore, onGap: ignore, onError: ignore }
  const channel = new HintChannel(randomUUID(), connections, clock, receiver)
  return { channel, ...connections }
}

test('a node notices that notifications arrive', async () => {
  const { channel } = await openChannel(await openMigratedDatabase())
  await channel.start()
  await expect.poll(() => channel.isListening).toBe(true)
  await channel.stop()
})

describe.skipIf(!hasPgBouncer)('through PgBouncer in transaction mode (if installed)', () => {
  const throughPool = usePgBouncer()

  test('a node notices that notifications do not arrive', async () => {
    const url = throughPool(await openMigratedDatabase())
    const { channel, connection, sender } = await openChannel(url)
    await channel.start()
    const ping = { name: 'ping', text: 'select 1' }
    for (let turn = 0; turn < 5; turn += 1) {
      await channel.test()
      await Promise.all([connection.query(ping), sender.query(ping)])
    }
    expect(channel.isListening).toBe(false)
    await channel.stop()
  })

  test('statements of many connections work without prepared statements', async () => {
    const database = connectToDatabase(throughPool(await openMigratedDatabase()))
    const connections = Array.from({ length: 8 }, (_, at) => database.connect(`test ${at}`))
    const results = Array.from({ length: 400 }, async (_, at) => {
      const statement = { name: `add ${at % 5}`, text: `select $1::int + ${at % 5} as sum` }
      const rows = await connections[at % 8]?.query<{ sum: number }>(statement, [at])
      expect(rows).toEqual([{ sum: at + (at % 5) }])
    })
    await Promise.all(results)
  })

  test('a message that one node accepts is claimed by a phone at another', async () => {
    const url = throughPool(await openMigratedDatabase())
    const nodes = await Promise.all([openNode(url), openNode(url)])
    for (const node of nodes) await node.start()
    await claimAtAnotherNode(nodes)
  })

  describe('the store', () => {
    const createDatabase = async () => createDatabaseAt(throughPool(await openMigratedDatabase()))
    testChanges(createDatabase)
    testClaims(createDatabase)
    testIdempotency(createDatabase)
  })
})
