import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import type { Actor } from '../load/actor.js'
import { runLoad } from '../load/load.js'
import { createListStep, createPhone } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import type { BenchDatabase } from '../servers/database.js'
import { withDatabase } from './compare-stores.js'

/** Enough for every round. */
const due = 10_000
/** Messages of each kind that are copied in the database. */
const originals = 1000

/** Copies the messages that are not due, each so many times; copies are newer than originals. */
const getCopyText = (copies: number) => `
insert into message (account, id, version, status, due_at, available_at, status_at, last_holder,
  number, doc)
select account, substr(time, 1, 8) || '-' || substr(time, 9) || '-7000-8000-'
    || lpad(to_hex(n), 12, '0'),
  1, status, due_at + n, available_at + n, status_at, last_holder, number, doc
from (
  select m.*, lpad(to_hex(1750000000000 + n * 40), 12, '0') as time
  from (
    select row_number() over (order by copy, status, id) as n, m.*
    from message m, generate_series(1, ${copies}) as copy
    where m.status = 'S' or m.due_at > extract(epoch from now()) * 1000
  ) m
) copies
order by n`

/** Measures NEXT and the first page of the list with millions of other messages, in turn. */
export async function measureStoreSize(bench: Bench): Promise<Figure[]> {
  return await withDatabase(async database => {
    const { million, rounds } = bench.options
    const sizes = [0, million] as const
    const nodes = []
    for (const size of sizes) nodes.push(await startNode(bench, database, size))
    const [empty, full] = nodes.map(() => ({ next: [] as number[], list: [] as number[] }))
    if (empty === undefined || full === undefined) throw new Error('There are two nodes.')
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, results] of [empty, full].entries()) {
        const port = nodes[at]?.port ?? 0
        results.next.push(await measureOne(bench, port, createPhone(0)))
        results.list.push(await measureOne(bench, port, createListActor()))
      }
    }
    for (const { stop } of nodes) await stop()
    return formatSizes(million, empty, full)
  })
}

async function startNode({ children }: Bench, database: BenchDatabase, size: number) {
  const name = `size_${size}`
  const url = await database.createDatabase(name)
  const own = Math.min(size, originals)
  await children.seedDatabase(url, { sent: own, scheduled: own, due })
  if (size > own) await database.query(getCopyText(Math.ceil(size / own) - 1), url)
  await database.query('vacuum analyze', url)
  return await children.node(url, name)
}

function createListActor(): Actor {
  const step = createListStep()
  return { readsBody: false, next: () => step }
}

async function measureOne({ options }: Bench, port: number, actor: Actor): Promise<number> {
  const seconds = Math.min(options.seconds, 2)
  const result = await runLoad({ port, actors: [actor], seconds, warmup: 0.2 })
  return (result.latencies.get('next') ?? result.all()).quantile(0.5)
}

interface Sizes {
  readonly next: readonly number[]
  readonly list: readonly number[]
}

function formatSizes(million: number, empty: Sizes, full: Sizes): Figure[] {
  const count = `${million} finished and as many scheduled messages`
  const next = [getMedian(full.next), getMedian(empty.next)] as const
  const note = `${next[0].toFixed(2)} ms against ${next[1].toFixed(2)} ms`
  return [
    {
      ...{ row: `NEXT with ${count}, p50 ÷ empty store`, value: next[0] / next[1], note },
      ...{ unit: 'growth', target: { most: 1.5 } },
    },
    {
      ...{ row: `first page of the list with ${count}, p50`, value: getMedian(full.list) },
      ...{ unit: 'ms', target: { most: 5 } },
      note: `${getMedian(empty.list).toFixed(2)} ms when empty`,
    },
  ]
}
