import { Client } from 'pg'
import type { Bench } from '../bench.js'
import { createFlowActors } from '../load/flow.js'
import { type LoadResult, runLoad } from '../load/load.js'
import type { Figure } from '../report/figure.js'
import type { RunningServer } from '../servers/children.js'
import type { BenchDatabase } from '../servers/database.js'
import { measureInTurn, type SideResult, withDatabase } from './compare-stores.js'

/** Seconds for which a snapshot is held open. */
const snapshotSeconds = 60

/** Measures claims after a long flow, and while an old snapshot keeps dead rows. */
export async function measureStoreAge(bench: Bench): Promise<Figure[]> {
  return await withDatabase(async database => {
    const [aged, fresh] = await startNodes(bench, database)
    const actors = () => createFlowActors({ pairs: 32 })
    const run = async (seconds: number): Promise<LoadResult> =>
      await runLoad({ port: aged.port, actors: actors(), seconds })
    const compare = async () =>
      await measureInTurn(bench, 'next', { server: fresh, actors }, { server: aged, actors })
    const { age } = bench.options
    const total = (await run(age)).total('next')
    const old = await compare()
    const held = await whileSnapshotIsHeld(database, async () => {
      await run(snapshotSeconds)
      return await compare()
    })
    await aged.stop()
    await fresh.stop()
    return [
      {
        row: `claims after ${age} s of flow, autovacuum on ÷ fresh database`,
        ...formatComparison(old, 0.8, `after ${total} messages`),
      },
      {
        row: `claims with a snapshot held for ${snapshotSeconds} s ÷ fresh database`,
        ...formatComparison(held, 0.5, 'with the snapshot'),
      },
    ]
  })
}

/** Starts a node on each of two databases of one server. */
async function startNodes({ children }: Bench, database: BenchDatabase) {
  const nodes: RunningServer[] = []
  for (const name of ['aged', 'fresh']) {
    const url = await database.createDatabase(name)
    await children.seedDatabase(url, { sent: 100 })
    nodes.push(await children.node(url, name))
  }
  return nodes as [RunningServer, RunningServer]
}

function formatComparison(
  [fresh, aged]: readonly [SideResult, SideResult],
  least: number,
  when: string,
): Omit<Figure, 'row'> {
  return {
    ...{ value: aged.rate / fresh.rate, unit: 'ratio', target: { least } },
    note: `${Math.round(aged.rate)}/s ${when}, ${Math.round(fresh.rate)}/s in a fresh database`,
  }
}

async function whileSnapshotIsHeld<T>(database: BenchDatabase, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: new URL('/aged', database.url).href })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read')
    await client.query('select count(*) from account')
    return await work()
  } finally {
    await client.end()
  }
}
