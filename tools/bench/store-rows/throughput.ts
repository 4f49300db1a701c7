import type { Bench } from '../bench.js'
import { type Measurement, measure } from '../compare.js'
import { repeatSteps } from '../load/actor.js'
import { createFlowActors } from '../load/flow.js'
import { createSteps } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { modelRows } from '../report/model.js'
import { measureInTurn, type SideResult, withBothStores, withDatabase } from './compare-stores.js'

const amounts = { sent: 1000 }

const createTargets = { 32: 0.5, 128: 0.7, 256: 0.85 }
const flowTargets = { 32: 0.4, 128: 0.6, 256: 0.7 }

/** Measures creates over 32, 128 and 256 connections on both stores. */
export async function measureStoreCreate(bench: Bench): Promise<Figure[]> {
  return await withBothStores(bench, 'create', amounts, async ({ lowdb, postgres }) => {
    const figures: Figure[] = []
    for (const [text, least] of Object.entries(createTargets)) {
      const count = Number(text)
      const steps = createSteps('json')
      const actors = () => Array.from({ length: count }, (_, nth) => repeatSteps(steps, nth * 7))
      const turns = [lowdb, postgres].map(server => ({ server, actors })) as [never, never]
      const [before, after] = await measureInTurn(bench, 'create', ...turns)
      figures.push(formatRatio(`create, ${count} connections`, least, before, after))
    }
    return figures
  })
}

/** Measures create → NEXT → success over so many connections on both stores. */
export async function measureStoreFlow(bench: Bench): Promise<Figure[]> {
  return await withBothStores(bench, 'flow', amounts, async ({ lowdb, postgres, database }) => {
    const figures: Figure[] = []
    for (const [text, least] of Object.entries(flowTargets)) {
      const actors = () => createFlowActors({ pairs: Number(text) / 2 })
      const turns = [lowdb, postgres].map(server => ({ server, actors })) as [never, never]
      const [before, after] = await measureInTurn(bench, 'success', ...turns)
      figures.push(
        formatRatio(`create → NEXT → success, ${text} connections`, least, before, after),
      )
    }
    const cpuBefore = database.cpu()
    const actors = () => createFlowActors({ pairs: 64 })
    const side = { server: postgres, actors, name: 'success' }
    const result = await measure(side, bench.options.seconds * 2)
    const ofDatabase = (database.cpu() - cpuBefore) / result.total('success')
    return [...figures, ...formatCpu(result, ofDatabase)]
  })
}

/** Measures the flow in batches of 50 against the flow without batches. */
export async function measureStoreBatches(bench: Bench): Promise<Figure[]> {
  return await withDatabase(async database => {
    await bench.children.seedDatabase(database.url, amounts)
    const server = await bench.children.node(database.url, 'batches')
    const single = { server, actors: () => createFlowActors({ pairs: 32 }), name: 'success' }
    const batches = { ...single, actors: () => createFlowActors({ pairs: 8, batch: 50 }) }
    const { seconds } = bench.options
    await measure(single, 1)
    const one = (await measure(single, seconds)).rate('success')
    await measure(batches, 1)
    const many = (await measure(batches, seconds)).rate('create') * 50
    await server.stop()
    return [
      {
        ...{ row: 'flow in batches of 50, against single messages', value: many / one },
        ...{ unit: 'ratio', target: { least: 3 } },
        note: `${Math.round(many)}/s against ${Math.round(one)}/s`,
      },
    ]
  })
}

/** Measures the flow over two nodes against that over one. */
export async function measureStoreNodes(bench: Bench): Promise<Figure[]> {
  return await withDatabase(async database => {
    const { children } = bench
    await children.seedDatabase(database.url, amounts)
    const nodes = [
      await children.node(database.url, 'node-1'),
      await children.node(database.url, 'node-2'),
    ] as const
    const ports = nodes.map(node => node.port)
    const cpu = async () => (await nodes[0].cpu()) + (await nodes[1].cpu())
    const both = { ...nodes[0], cpu }
    const [one, two] = await measureInTurn(
      bench,
      'success',
      { server: nodes[0], actors: () => createFlowActors({ pairs: 64 }) },
      { server: both, actors: () => createFlowActors({ pairs: 64, ports }) },
    )
    for (const node of nodes) await node.stop()
    return [
      formatRatio('two nodes ÷ one node, flow', 0.8, one, two, ['one', 'two']),
      {
        ...{ row: modelRows.several, value: two.cpu / one.cpu },
        ...{ unit: 'ratio', target: { most: 1.5 } },
        note: `${two.cpu.toFixed(0)} µs against ${one.cpu.toFixed(0)} µs`,
      },
    ]
  })
}

function formatRatio(
  row: string,
  least: number,
  before: SideResult,
  after: SideResult,
  names: readonly [string, string] = ['lowdb', 'PostgreSQL'],
): Figure {
  return {
    ...{ row, value: after.rate / before.rate, unit: 'ratio', target: { least } },
    latencies: after.latencies,
    note:
      `${names[1]} ${Math.round(after.rate)}/s, ${names[0]} ${Math.round(before.rate)}/s; ` +
      `processor time of the nodes ${after.cpu.toFixed(0)} and ${before.cpu.toFixed(0)} µs`,
  }
}

function formatCpu(node: Measurement, database: number): Figure[] {
  const rate = `${Math.round(node.rate('success'))} messages/s`
  return [
    {
      ...{ row: modelRows.node, value: node.cpu },
      ...{ unit: 'µs', target: { most: 140 }, note: rate },
    },
    {
      ...{ row: modelRows.database, value: database },
      ...{ unit: 'µs', target: { most: 150 }, note: rate },
    },
  ]
}
