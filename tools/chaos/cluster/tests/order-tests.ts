import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type ClusterTest, runUnderLoad, type TestContext } from '../cluster-test.js'
import { DatabaseServer } from '../database-server.js'

const writers = 16
/** Milliseconds between two reads of the follower of a plain sequence. */
const readInterval = 1

const followWriters: ClusterTest = {
  name: 'K10',
  title: '16 writers and a follower of the event stream',
  run: async context => {
    const missed = await countMissed(context)
    const texts = context.quick ? 100 : 5000
    const options = { nodes: 2, creators: writers }
    const result = await runUnderLoad(context, options, async cluster => {
      await cluster.waitForMore(texts)
      return { made: texts }
    })
    const control = missed === 0 ? ['a reader of a plain sequence missed nothing'] : []
    return {
      ...result,
      note: `a reader of a plain bigserial missed ${missed}`,
      violations: [...control, ...result.violations],
    }
  },
}

export const orderTests = [followWriters]

/**
 * The same with a plain sequence, where the follower must miss numbers: they are given before the
 * commit, so a higher one may be visible first.
 */
async function countMissed({ quick, random }: TestContext): Promise<number> {
  const database = await DatabaseServer.start()
  const clients: Client[] = []
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: database.url })
    clients.push(client)
    await client.connect()
    return client
  }
  try {
    await database.run('create table plain (id bigserial primary key)')
    const rows = quick ? 100 : 500
    let left = writers
    const write = async (): Promise<void> => {
      const client = await connect()
      for (let row = 0; row < rows; row += 1) {
        await client.query('begin')
        await client.query('insert into plain default values')
        if (random.below(4) === 0) await sleep(1)
        await client.query('commit')
      }
      left -= 1
    }
    const seen = new Set<number>()
    const read = async (): Promise<void> => {
      const client = await connect()
      for (let last = 0, isDone = false; !isDone; await sleep(readInterval)) {
        isDone = left === 0
        const query = 'select id::int from plain where id > $1 order by id'
        const found = (await client.query<{ id: number }>(query, [last])).rows
        for (const { id } of found) seen.add(id)
        last = found.at(-1)?.id ?? last
      }
    }
    await Promise.all([read(), ...Array.from({ length: writers }, write)])
    return writers * rows - seen.size
  } finally {
    for (const client of clients) await client.end()
    await database.stop()
  }
}
