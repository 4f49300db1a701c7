// Program: runs the crash matrix and the check of events, and prints a markdown page.
// 1. `options.ts` parses the arguments; `scenarios/scenarios.ts` lists the rows.
// 2. For each row, `harness/` starts a relay, phones, an integrator and a webhook receiver. The
// scenario makes its faults, most of them with `injection/`, under load.
// 3. The harness waits until everything is finished and collects a history; `oracle/` checks it.
// 4. `events/` checks the order of events in a run of its own.
// With --store postgres, `cluster/` runs the tests of several nodes on one database instead.
// 5. `result.ts` formats the table. README.md defines its columns and their limits.

import { type DeliveryMode, deliveryModes } from '../../src/domain/account/account.js'
import { readHelp } from '../report/help.js'
import { describeMachine } from '../report/machine.js'
import { type Page, printPages } from '../report/page.js'
import { clusterTests, runClusterTests } from './cluster/run-cluster-tests.js'
import { runEvents } from './events/run-events.js'
import { AccountTemplates } from './harness/accounts.js'
import { Harness } from './harness/harness.js'
import { Processes } from './harness/processes.js'
import { type Options, parseOptions } from './options.js'
import { checkHistory } from './oracle/check-history.js'
import { Random } from './random.js'
import { formatMatrix, listViolations, type Result } from './result.js'
import type { Scenario } from './scenarios/scenario.js'
import { scenarios } from './scenarios/scenarios.js'

interface Row {
  readonly scenario: Scenario
  readonly mode: DeliveryMode
}

const introduction = `\
\`npm run chaos\` runs the real relay, real phones and a driver that records what it sends. It kills
processes, cuts connections and fills disks at exact points: before, during and after each write,
sync, request and reply. [tools/chaos](../../tools/chaos/README.md) explains each column.

Required: 0 lost, 0 events missing, 0 out of order in every row. Doubled must be 0, except where a
phone is killed inside the driver, or its modem does not answer, in at-least-once mode. There, a
doubled text must be one that the killed phone was sending, or that got no answer.`

async function runChaos(args: readonly string[]): Promise<boolean> {
  const lowdb = scenarios.map(({ name }) => name)
  const postgres = clusterTests.map(({ name }) => name)
  const options = parseOptions(args, { lowdb, postgres })
  const processes = new Processes(options.base)
  const machine = `${await describeMachine(options.base)}; seed ${options.seed}.`
  if (options.store === 'postgres') {
    const { page, isGood } = await runClusterTests(options, processes)
    printPages([{ ...page, machine }], options.out)
    return isGood
  }
  if (options.events) {
    const { page, isGood } = await runEvents(options, processes)
    printPages([{ ...page, machine }], options.out)
    return isGood
  }
  const results = await runMatrix(options, processes)
  const table = formatMatrix(results.filter(result => result !== undefined))
  const pages: Page[] = [{ heading: 'Crash matrix', introduction, machine, table }]
  let isGood = results.every(result => result?.violations.length === 0)
  try {
    if (!options.quick && options.scenarios.length === 0) {
      const events = await runEvents(options, processes)
      pages.push(events.page)
      isGood &&= events.isGood
    }
    return isGood
  } finally {
    printPages(pages, options.out)
  }
}

/** One result for each row; undefined for rows that did not run. */
async function runMatrix(
  options: Options,
  processes: Processes,
): Promise<readonly (Result | undefined)[]> {
  const accounts = new AccountTemplates(processes)
  const rows = createRows(options)
  const results: (Result | undefined)[] = rows.map(() => undefined)
  const waiting = [...rows.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, row] = next
      const result = await runRow(row, options, processes, accounts)
      results[place] = result
      printViolations(row, result)
    }
  }
  await Promise.all(Array.from({ length: options.parallel }, work))
  return results
}

/** Texts are padded with dots; these are shortened. */
function printViolations({ scenario, mode }: Row, { violations }: Result): void {
  for (const violation of violations) {
    const text = violation.replace(/( \.){2,} ?/g, ' …')
    process.stderr.write(`${scenario.name}, ${mode}: ${text}\n`)
  }
}

function createRows({ scenarios: chosen, quick }: Options): Row[] {
  const wanted = scenarios.filter(scenario =>
    chosen.length === 0 ? scenario.quick || !quick : chosen.includes(scenario.name),
  )
  return wanted.flatMap((scenario, place) => {
    const modes = quick ? deliveryModes.slice(place % 2, (place % 2) + 1) : deliveryModes
    return modes.map(mode => ({ scenario, mode }))
  })
}

async function runRow(
  { scenario, mode }: Row,
  { seed, effort, quick }: Options,
  processes: Processes,
  accounts: AccountTemplates,
): Promise<Result> {
  const from = performance.now()
  const random = new Random(seed, `${scenario.name} ${mode}`)
  const harness = await Harness.create(processes, accounts, { ...scenario.options, mode }, random)
  try {
    // In Node 20, a fetch whose first connection is closed at once may wait 30 s.
    if (quick) await Promise.all(harness.phones.map(async phone => await phone.waitUntilReady()))
    const faults = await scenario.run(harness, effort)
    const findings = checkHistory(await harness.collectHistory())
    return {
      scenario,
      mode,
      faults,
      findings,
      violations: listViolations(scenario, mode, faults, findings),
    }
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { scenario, mode, violations: [why] }
  } finally {
    await harness.close()
    processes.remove(harness.directory)
    process.stderr.write(`${scenario.name}, ${mode}: ${formatSeconds(performance.now() - from)}\n`)
  }
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  const given = process.argv.slice(2)
  if (given.includes('--help')) console.log(readHelp('chaos'))
  else if (!(await runChaos(given))) process.exitCode = 1
} catch (error) {
  console.error(error instanceof TypeError ? error.message : error)
  // Processes of running rows would keep this process alive.
  process.exit(1)
}
