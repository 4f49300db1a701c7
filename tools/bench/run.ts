// Measures the relay and prints a markdown page; README.md explains the rows.
// 1. `options.ts` parses the arguments; `rows`, `phone-rows` and `store-rows` measure.
// 2. A row starts its processes with `servers/`: the relay, the bare server, writers of test data.
// 3. `load/` sends requests from this process and counts latencies; `compare.ts` measures the relay
//    and the bare server in turn. `modem/` drives a scripted modem.
// 4. `report/` formats the figures as a table with their targets.
import { readHelp } from '../report/help.js'
import { describeMachine } from '../report/machine.js'
import { printPages } from '../report/page.js'
import type { Bench, Row } from './bench.js'
import { measureDashboard, measureStoreDashboard } from './dashboard/dashboard.js'
import { type Options, parseOptions } from './options.js'
import { measureModem } from './phone-rows/modem.js'
import { measurePhone } from './phone-rows/phone.js'
import { measurePhoneMemory } from './phone-rows/phone-memory.js'
import { measureSmppCodec } from './phone-rows/smpp-codec.js'
import { measureSmppDriver } from './phone-rows/smpp-driver.js'
import type { Figure } from './report/figure.js'
import { modelScale } from './report/model.js'
import { formatFigures } from './report/table.js'
import { measureColdStart } from './rows/cold.js'
import { measureCompaction } from './rows/compaction.js'
import { measureCreate } from './rows/create.js'
import { measureFairness } from './rows/fair.js'
import { measureGrowth, measureScheduled } from './rows/growth.js'
import { measureMetrics } from './rows/metrics.js'
import { measureOpening } from './rows/opening.js'
import { measureFlow, measureNext } from './rows/phones.js'
import { measureGet, measureList } from './rows/read.js'
import { measureWebhook } from './rows/webhook.js'
import { measureWindow } from './rows/window.js'
import { Children } from './servers/children.js'
import { measureStoreAge } from './store-rows/age.js'
import { measureStoreIdle, measureStoreWake, measureStoreWebhook } from './store-rows/latency.js'
import { measureStoreSize } from './store-rows/size.js'
import {
  measureStoreBatches,
  measureStoreCreate,
  measureStoreFlow,
  measureStoreNodes,
} from './store-rows/throughput.js'

const rows: Readonly<Record<Options['store'], Readonly<Record<string, Row>>>> = {
  lowdb: {
    create: measureCreate,
    flow: measureFlow,
    next: measureNext,
    get: measureGet,
    list: measureList,
    growth: measureGrowth,
    compaction: measureCompaction,
    scheduled: measureScheduled,
    opening: measureOpening,
    webhook: measureWebhook,
    window: measureWindow,
    fair: measureFairness,
    cold: measureColdStart,
    metrics: measureMetrics,
    modem: measureModem,
    phone: measurePhone,
    'phone-memory': measurePhoneMemory,
    'smpp-codec': measureSmppCodec,
    'smpp-driver': measureSmppDriver,
    dashboard: measureDashboard,
  },
  postgres: {
    create: measureStoreCreate,
    flow: measureStoreFlow,
    batches: measureStoreBatches,
    nodes: measureStoreNodes,
    size: measureStoreSize,
    age: measureStoreAge,
    wake: measureStoreWake,
    webhook: measureStoreWebhook,
    idle: measureStoreIdle,
    dashboard: measureStoreDashboard,
  },
}

const headings: Readonly<Record<Options['store'], string>> = {
  lowdb: 'Benchmarks',
  postgres: 'Scale',
}

const introductions: Readonly<Record<Options['store'], string>> = {
  lowdb: `\
\`npm run bench\` measures the relay and a bare \`node:http\` server in the same run, over 32
connections. The bare server parses the same requests and stores nothing. Figures are ratios to it.
[tools/bench](../../tools/bench/README.md) explains each row. On a shared machine a ratio moves by
0.1 from one run to the next.`,
  postgres: `\
\`npm run bench -- --store postgres\` measures nodes on a PostgreSQL of their own, which syncs each
commit to the disk, against the relay on its embedded store, in the same run. Load, nodes and
database share the machine. Figures are medians of alternating turns.
[tools/bench](../../tools/bench/README.md) explains each row.`,
}

/** The introduction of a page with the row `dashboard` alone. */
const dashboardIntroduction = `\
\`npm run bench -- dashboard\`, with \`--store postgres\` for a database, visits every page of the
dashboard in the Chromium of the tests, each time with an empty cache, over loopback. Browser, relay
and database share the machine. All lists are full. The p99 is that of the slowest visit.
[tools/bench](../../tools/bench/README.md) explains the row.`

function describePage({ store, million }: Options, chosen: readonly string[]) {
  if (chosen.join() !== 'dashboard')
    return { heading: headings[store], introduction: introductions[store] }
  const name = store === 'lowdb' ? 'the embedded store' : 'PostgreSQL'
  const heading = `The dashboard with ${million.toLocaleString('en')} messages in ${name}`
  return { heading, introduction: dashboardIntroduction }
}

async function runBench(args: readonly string[]): Promise<void> {
  const options = parseOptions(args, {
    lowdb: Object.keys(rows.lowdb),
    postgres: Object.keys(rows.postgres),
  })
  const children = new Children(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const machine = `${await describeMachine(options.base)}.`
  const figures: Figure[] = []
  const chosen = options.rows.length === 0 ? Object.keys(rows[options.store]) : options.rows
  try {
    for (const name of chosen) figures.push(...(await measureRow(name, { options, children })))
  } finally {
    const table = formatFigures(figures)
    const { heading, introduction } = describePage(options, chosen)
    const pages = [{ heading, introduction, machine, table }, modelScale(figures)]
    printPages(
      pages.filter(page => page !== undefined),
      options.out,
    )
  }
}

async function measureRow(name: string, bench: Bench): Promise<Figure[]> {
  const from = performance.now()
  const figures = (await rows[bench.options.store][name]?.(bench)) ?? []
  process.stderr.write(`${name}: ${((performance.now() - from) / 1000).toFixed(0)} s\n`)
  return figures
}

try {
  const given = process.argv.slice(2)
  if (given.includes('--help')) console.log(readHelp('bench'))
  else await runBench(given)
} catch (error) {
  console.error(error instanceof TypeError ? error.message : error)
  // Servers of a failed row would keep the process alive; they end with it.
  process.exit(1)
}
