import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.js'
import { Histogram } from '../load/histogram.js'
import { createPhone, createSteps } from '../load/requests.js'
import type { Figure } from '../report/figure.js'
import { modelRows } from '../report/model.js'
import { measureWebhooks } from '../rows/webhook.js'
import { sendRequest } from '../servers/send-request.js'
import { withDatabase } from './compare-stores.js'

const posts = 200
const pauseBetween = 20

/** Measures a POST on one node until a NEXT that waits on another node has its message. */
export async function measureStoreWake(bench: Bench): Promise<Figure[]> {
  return await withDatabase(async database => {
    const { children } = bench
    await children.seedDatabase(database.url, { sent: 100 })
    const nodes = [
      await children.node(database.url, 'wake-a'),
      await children.node(database.url, 'wake-b'),
    ] as const
    const latencies = await measureWakes(nodes[0].port, nodes[1].port)
    for (const node of nodes) await node.stop()
    return [
      {
        row: 'POST on node A → waiting NEXT on node B, with LISTEN, p50',
        value: latencies.quantile(0.5),
        ...{ unit: 'ms', target: { most: 15 }, latencies },
      },
    ]
  })
}

async function measureWakes(creatorPort: number, phonePort: number): Promise<Histogram> {
  const latencies = new Histogram()
  const steps = createSteps('form')
  const phone = createPhone(0, { waits: true })
  let step = phone.next(undefined)
  for (let nth = 0; nth < posts; nth += 1) {
    const waiting = sendRequest(phonePort, step?.bytes ?? '')
    await sleep(pauseBetween)
    const from = performance.now()
    await sendRequest(creatorPort, steps[nth]?.bytes ?? '')
    const claimed = await waiting
    latencies.add(performance.now() - from)
    const report = phone.next(Buffer.from(claimed))
    step = phone.next(Buffer.from(await sendRequest(phonePort, report?.bytes ?? '')))
  }
  return latencies
}

/** Measures the time from an event to its webhook on an idle node. */
export async function measureStoreWebhook(bench: Bench): Promise<Figure[]> {
  return await withDatabase(async database => {
    await bench.children.seedDatabase(database.url, { sent: 100 })
    const node = await bench.children.node(database.url, 'webhook')
    const latencies = await measureWebhooks(node.port, bench.options.seconds)
    await node.stop()
    const value = latencies.quantile(0.5)
    return [
      {
        ...{ row: 'event to webhook when idle, p50', value, unit: 'ms', target: { most: 20 } },
        latencies,
      },
    ]
  })
}

const idleSeconds = 20

/** Counts the statements and connections of a node that has nothing to do. */
export async function measureStoreIdle(bench: Bench): Promise<Figure[]> {
  return await withDatabase(async database => {
    const own = await database.createDatabase('idle')
    await bench.children.seedDatabase(own, { sent: 100 })
    const node = await bench.children.node(own, 'idle')
    // The first seconds belong to the start.
    await sleep(5000)
    const count = async () => {
      const [row] = await database.query(
        `select xact_commit + xact_rollback as done, numbackends as connections
        from pg_stat_database where datname = 'idle'`,
      )
      return { done: Number(row?.done), connections: Number(row?.connections) }
    }
    const before = await count()
    await sleep(idleSeconds * 1000)
    const after = await count()
    await node.stop()
    const rate = (after.done - before.done) / idleSeconds
    const { connections } = after
    return [
      { row: modelRows.statements, value: rate, unit: '/s', target: { most: 5 } },
      { row: 'connections of a node', value: connections, unit: 'count', target: { most: 8 } },
    ]
  })
}
