// Runs the crash matrix and prints one table; see tools/chaos/README.md.

import { type DeliveryMode, deliveryModes } from '../../src/domain/account/account.js'
import { helpOf } from '../bench/report/help.js'
import { machine } from '../bench/report/machine.js'
import type { Cell } from './cells/cell.js'
import { cells } from './cells/index.js'
import { runEvents } from './events/run-events.js'
import { type Options, readOptions } from './options.js'
import { judge } from './oracle/judge.js'
import { Random } from './random.js'
import { type Result, table, violations } from './result.js'
import { Accounts } from './world/accounts.js'
import { Processes } from './world/processes.js'
import { World } from './world/world.js'

interface Row {
  readonly cell: Cell
  readonly mode: DeliveryMode
}

async function run(args: readonly string[]): Promise<boolean> {
  const options = readOptions(
    args,
    cells.map(({ name }) => name),
  )
  const processes = new Processes(options.base)
  console.log(`${await machine(options.base)}; seed ${options.seed}\n`)
  const isGood = options.events || (await runMatrix(options, processes))
  if (!options.events && (options.quick || options.cells.length > 0)) return isGood
  if (!options.events) console.log('')
  return (await runEvents(options, processes)) && isGood
}

async function runMatrix(options: Options, processes: Processes): Promise<boolean> {
  const accounts = new Accounts(processes)
  const rows = rowsOf(options)
  const results: (Result | undefined)[] = rows.map(() => undefined)
  const waiting = [...rows.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, row] = next
      const result = await runRow(row, options, processes, accounts)
      results[place] = result
      for (const sentence of result.violations) {
        process.stderr.write(
          `${row.cell.name}, ${row.mode}: ${sentence.replace(/( \.){2,} ?/g, ' …')}\n`,
        )
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: options.parallel }, work))
  } finally {
    console.log(table(results.filter(result => result !== undefined)))
  }
  return results.every(result => result?.violations.length === 0)
}

function rowsOf({ cells: chosen, quick }: Options): Row[] {
  const wanted = cells.filter(cell =>
    chosen.length === 0 ? cell.quick || !quick : chosen.includes(cell.name),
  )
  return wanted.flatMap((cell, place) => {
    const modes = quick ? deliveryModes.slice(place % 2, (place % 2) + 1) : deliveryModes
    return modes.map(mode => ({ cell, mode }))
  })
}

async function runRow(
  { cell, mode }: Row,
  { seed, effort, quick }: Options,
  processes: Processes,
  accounts: Accounts,
): Promise<Result> {
  const from = performance.now()
  const random = new Random(seed, `${cell.name} ${mode}`)
  const world = await World.create(processes, accounts, { ...cell.options, mode }, random)
  try {
    // If the first connection of a phone is cut, it may wait 30 s for it (fetch of Node 20).
    if (quick) await Promise.all(world.phones.map(async phone => await phone.begun()))
    const faults = await cell.run(world, effort)
    const findings = judge(await world.history())
    return { cell, mode, faults, findings, violations: violations(cell, mode, faults, findings) }
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { cell, mode, violations: [why] }
  } finally {
    await world.close()
    processes.remove(world.directory)
    process.stderr.write(`${cell.name}, ${mode}: ${seconds(performance.now() - from)}\n`)
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  const given = process.argv.slice(2)
  if (given.includes('--help')) console.log(helpOf('chaos'))
  else if (!(await run(given))) process.exitCode = 1
} catch (error) {
  console.error(error instanceof TypeError ? error.message : error)
  // The processes of running rows would keep this one alive; they end with it.
  process.exit(1)
}
