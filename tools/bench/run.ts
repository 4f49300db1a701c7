// Measures the relay and prints one table; see tools/bench/README.md.
import type { Bench, Row } from './bench.js'
import { readOptions } from './options.js'
import type { Figure } from './report/figure.js'
import { helpOf } from './report/help.js'
import { machine } from './report/machine.js'
import { table } from './report/table.js'
import { cold } from './rows/cold.js'
import { compaction } from './rows/compaction.js'
import { create } from './rows/create.js'
import { growth, scheduled } from './rows/growth.js'
import { modem } from './rows/modem.js'
import { opening } from './rows/opening.js'
import { flow, next } from './rows/phones.js'
import { get, list } from './rows/read.js'
import { measureWebhook } from './rows/webhook.js'
import { Children } from './servers/children.js'

const rows: Readonly<Record<string, Row>> = {
  create,
  flow,
  next,
  get,
  list,
  growth,
  compaction,
  scheduled,
  opening,
  webhook: measureWebhook,
  cold,
  modem,
}

async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args, Object.keys(rows))
  const children = new Children(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  console.log(`${await machine(options.base)}\n`)
  const figures: Figure[] = []
  const chosen = options.rows.length === 0 ? Object.keys(rows) : options.rows
  try {
    for (const name of chosen) figures.push(...(await measured(name, { options, children })))
  } finally {
    console.log(table(figures))
  }
}

async function measured(name: string, bench: Bench): Promise<Figure[]> {
  const from = performance.now()
  const figures = (await rows[name]?.(bench)) ?? []
  process.stderr.write(`${name}: ${((performance.now() - from) / 1000).toFixed(0)} s\n`)
  return figures
}

try {
  const given = process.argv.slice(2)
  if (given.includes('--help')) console.log(helpOf('bench'))
  else await run(given)
} catch (error) {
  console.error(error instanceof TypeError ? error.message : error)
  // Servers of a failed row would keep the process alive; they end with it.
  process.exit(1)
}
