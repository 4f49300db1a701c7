// Program: abuses the built program and prints a markdown page with one table.
// 1. `options.ts` parses the arguments; `scenarios/scenarios.ts` lists the rows.
// 2. Each scenario starts a relay of its own (`harness/relay-process.ts`) and abuses it, while
//    another client measures its own requests. `harness/probe.ts` measures inside the relay.
// 3. `result.ts` compares each figure with its limit. README.md explains the rows.

import { Random } from '../chaos/random.js'
import { readHelp } from '../report/help.js'
import { describeMachine } from '../report/machine.js'
import { printPages } from '../report/page.js'
import { type Options, parseOptions } from './options.js'
import { formatResults, listViolations, type Result } from './result.js'
import { type Scenario, World } from './scenarios/scenario.js'
import { scenarios } from './scenarios/scenarios.js'

/** Milliseconds for a scenario, and for all of them. */
const scenarioTime = 90_000
const totalTime = 290_000

const introduction = `\
\`npm run abuse\` starts the real relay and abuses it: clients that do not read, slow clients,
floods, thousands of subscriptions, silent receivers, wrong guesses. Meanwhile another client works
as usual. [tools/abuse](../../tools/abuse/README.md) explains each row. Required: each figure is
within its limit.`

async function runAbuse(args: readonly string[]): Promise<boolean> {
  const options = parseOptions(
    args,
    scenarios.map(({ name }) => name),
  )
  const machine = `${await describeMachine(options.base)}; seed ${options.seed}.`
  const deadline = performance.now() + totalTime
  const results: Result[] = []
  for (const scenario of scenarios.filter(({ name }) => options.only.includes(name))) {
    const time = Math.min(scenarioTime, deadline - performance.now())
    results.push(await runScenario(scenario, options, time))
  }
  const violations = listViolations(results)
  for (const violation of violations) process.stderr.write(`${violation}\n`)
  const table = formatResults(results)
  printPages([{ heading: 'Abuse', introduction, machine, table }], options.out)
  return violations.length === 0
}

async function runScenario(
  { name, title, run }: Scenario,
  { base, seed }: Options,
  time: number,
): Promise<Result> {
  if (time <= 0) return { title, figures: [], error: 'not run: the time of the run was used up' }
  const from = performance.now()
  const world = new World(base, new Random(seed, name))
  try {
    return { title, figures: await withTimeLimit(time, run(world)) }
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.stack : error}\n`)
    return { title, figures: [], error: error instanceof Error ? error.message : String(error) }
  } finally {
    await world.close()
    const seconds = (performance.now() - from) / 1000
    process.stderr.write(`${name}: ${seconds.toFixed(1)} s\n`)
  }
}

async function withTimeLimit<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`did not end within ${Math.round(milliseconds / 1000)} s`)
    timer = setTimeout(reject, milliseconds, error)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  const given = process.argv.slice(2)
  if (given.includes('--help')) console.log(readHelp('abuse'))
  else process.exit((await runAbuse(given)) ? 0 : 1)
} catch (error) {
  console.error(error instanceof TypeError ? error.message : error)
  process.exit(1)
}
