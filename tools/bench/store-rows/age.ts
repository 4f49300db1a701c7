import { Client } from 'pg'
import type { Bench } from '../bench.js'
import { createFlowActors } from '../load/flow.js'
import { type LoadResult, runLoad } from '../load/load.js'
import type { Figure } from '../report/figure.js'
import type { BenchDatabase } from '../servers/database.js'
import { withDatabase } from './compare-stores.js'

/** Seconds for which a snapshot is held open. */
const snapshotSeconds = 60

/** Measures claims after a long flow, and while an old snapshot keeps dead rows. */
export async function measureStoreAge(bench: Bench): Promise<Figure[]> {
  return await withDatabase(async database => {
    const { children, options } = bench
    await children.seedDatabase(database.url, { sent: 100 })
    const node = await children.node(database.url, 'age')
    const run = async (seconds: number): Promise<LoadResult> =>
      await runLoad({ port: node.port, actors: createFlowActors({ pairs: 32 }), seconds })
    await run(2)
    const fresh = (await run(options.seconds * 2)).rate('next')
    const total = (await run(options.age)).total('next')
    const old = (await run(options.seconds * 2)).rate('next')
    const held = await whileSnapshotIsHeld(database, async () => {
      await run(snapshotSeconds)
      return (await run(options.seconds * 2)).rate('next')
    })
    await node.stop()
    const against = `${Math.round(fresh)}/s in a fresh database`
    return [
      {
        row: `claims after ${options.age} s of flow, autovacuum on ÷ fresh database`,
        ...{ value: old / fresh, unit: 'ratio', target: { least: 0.8 } },
        note: `${Math.round(old)}/s after ${total} messages, ${against}`,
      },
      {
        row: `claims with a snapshot held for ${snapshotSeconds} s ÷ fresh database`,
        ...{ value: held / fresh, unit: 'ratio', target: { least: 0.5 } },
        note: `${Math.round(held)}/s, ${against}`,
      },
    ]
  })
}

async function whileSnapshotIsHeld<T>({ url }: BenchDatabase, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read')
    await client.query('select count(*) from account')
    return await work()
  } finally {
    await client.end()
  }
}
