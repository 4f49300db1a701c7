import { formatTable, type Page } from '../../report/page.js'
import type { Processes } from '../harness/processes.js'
import type { Options } from '../options.js'
import { Random } from '../random.js'
import type { ClusterTest, TestResult } from './cluster-test.js'
import { clockTests } from './tests/clock-tests.js'
import { formTests } from './tests/form-tests.js'
import { killTests } from './tests/kill-tests.js'
import { orderTests } from './tests/order-tests.js'
import { outageTests } from './tests/outage-tests.js'
import { raceTests } from './tests/race-tests.js'
import { startTests } from './tests/start-tests.js'
import { valueTests } from './tests/value-tests.js'

/** The rows of the table, in order. */
export const clusterTests: readonly ClusterTest[] = [
  ...[...killTests, ...raceTests, ...startTests, ...clockTests, ...orderTests],
  ...[...outageTests, ...valueTests, ...formTests],
].sort((a, b) => getNumber(a) - getNumber(b))

const introduction = `\
\`npm run chaos -- --store postgres\` runs two or three real nodes on a real PostgreSQL, behind a
load balancer, with creators, phones, a follower of the event stream and receivers of webhooks. It
kills and suspends nodes, kills the database, and cuts its connections.
[tools/chaos](../../tools/chaos/README.md#several-nodes) explains each column.

Required: 0 lost, 0 doubled, 0 events missing and 0 out of order in every row. Webhooks may be
repeated around a fault, with the same identifier.`

const maxPrinted = 20

/** Runs the tests of several nodes; resolves to their page, and whether every one is met. */
export async function runClusterTests(
  { seed, scenarios, quick }: Pick<Options, 'seed' | 'scenarios' | 'quick'>,
  processes: Processes,
): Promise<{ page: Page; isGood: boolean }> {
  const chosen = clusterTests.filter(
    ({ name }) => scenarios.length === 0 || scenarios.includes(name),
  )
  const rows: string[][] = []
  let isGood = true
  for (const test of chosen) {
    const from = performance.now()
    const context = { processes, quick, random: new Random(seed, test.name) }
    const result = await test.run(context).catch(toFailure)
    const seconds = (performance.now() - from) / 1000
    isGood &&= result.violations.length === 0
    rows.push(formatRow(test, result))
    process.stderr.write(`${test.name}: ${seconds.toFixed(1)} s\n`)
    for (const violation of result.violations.slice(0, maxPrinted)) {
      process.stderr.write(`${test.name}: ${violation}\n`)
    }
    if (result.violations.length === 0) continue
    process.stderr.write(
      `Repeat it: npm run chaos -- --store postgres --scenarios ${test.name} --seed ${seed}\n`,
    )
  }
  if (scenarios.length === 0) rows.push(modelRow)
  const table = formatTable(columnHeads, rows)
  return { page: { heading: 'Crash matrix of several nodes', introduction, table }, isGood }
}

const columnHeads = [
  '',
  'What happens',
  'Faults or rounds',
  'Accepted',
  'Sent',
  'Events',
  'Lost',
  'Doubled',
  'Events missing',
  'Out of order',
  'Webhooks repeated',
  'Measured',
  '',
]

/** The test of this name needs no processes. */
const modelRow = [
  'K14',
  'Random operations of two nodes on one database, compared with a model',
  ...Array.from({ length: 9 }, () => ''),
  'runs in `npm test`: test/server/store/postgres/messages/postgres-model.test.ts',
  '',
]

function formatRow(
  { name, title }: ClusterTest,
  { made, findings, note = '', violations }: TestResult,
): string[] {
  const verdict = violations.length === 0 ? 'ok' : 'VIOLATED'
  if (findings === undefined) {
    const empty = Array.from({ length: 8 }, () => '')
    return [name, title, String(made), ...empty, note, verdict]
  }
  const { accepted, sent, events, lost, doubled, missing, disordered, repeated } = findings
  const lists = [lost, doubled, missing, disordered].map(list => list.length)
  const numbers = [made, accepted, sent, events, ...lists, repeated]
  return [name, title, ...numbers.map(String), note, verdict]
}

function toFailure(error: unknown): TestResult {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { made: 0, violations: [why] }
}

/** Tests are in the order of their numbers; those of one number keep theirs. */
function getNumber({ name }: ClusterTest): number {
  return Number(/\d+/.exec(name)?.[0] ?? 0)
}
