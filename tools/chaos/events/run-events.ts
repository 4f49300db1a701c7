import { formatTable, type Page } from '../../report/page.js'
import type { Processes } from '../harness/processes.js'
import type { Options } from '../options.js'
import type { Faults } from '../scenarios/scenario.js'
import { checkSubscription, type SubscriptionFindings } from './check-subscription.js'
import { EventsHarness } from './events-harness.js'
import { receiverFaults, type SubscriptionReceiver } from './subscription-receiver.js'

const maxPrinted = 20

const introduction = `\
\`npm run chaos -- --events\` records 100,000 events for 50 subscriptions of 22 accounts. Every
tenth webhook fails at its receiver: with an error, a reset or silence. The relay is killed 20 times
with \`kill -9\` while it delivers. Then the events that arrived at each subscription are compared
with the events that the relay recorded. Other runs have fewer events.
[tools/chaos](../../tools/chaos/README.md) explains each column.

Required: 0 lost, 0 out of order. Doubled events are counted. Most of them are caused by a receiver
that processes a webhook and then resets the connection or stays silent.`

/** Runs the check of events; resolves to its page, and whether every requirement is met. */
export async function runEvents(
  { seed, scale }: Pick<Options, 'seed' | 'scale'>,
  processes: Processes,
): Promise<{ page: Page; isGood: boolean }> {
  const from = performance.now()
  const harness = new EventsHarness(processes, scale, seed)
  try {
    await harness.start()
    const faults = await harness.run()
    const seconds = (performance.now() - from) / 1000
    const histories = await harness.collectHistories()
    const findings = histories.map(checkSubscription)
    const wrong = listEventViolations(findings, faults)
    for (const sentence of wrong.slice(0, maxPrinted)) process.stderr.write(`events, ${sentence}\n`)
    if (wrong.length > maxPrinted)
      process.stderr.write(`events, and ${wrong.length - maxPrinted} more\n`)
    process.stderr.write(`events: ${formatFaultCounts(harness.receivers)}\n`)
    const source = histories.some(({ recorded }) => recorded === undefined)
      ? 'acknowledged'
      : 'recorded'
    process.stderr.write(`events: compared with the ${source} events\n`)
    const isGood = wrong.length === 0
    const table = formatEventsTable(harness, findings, faults, seconds, isGood)
    return { page: { heading: 'Order of events', introduction, table }, isGood }
  } finally {
    await harness.close()
  }
}

/** Findings that violate the requirements: everything except repeated webhooks. */
export function listEventViolations(
  findings: readonly SubscriptionFindings[],
  { missed }: Pick<Faults, 'missed'>,
): string[] {
  return [
    ...findings.flatMap(({ lost, reordered, unexplained }) => [
      ...lost,
      ...reordered,
      ...unexplained,
    ]),
    ...missed.map(fault => `did not happen: ${fault}`),
  ]
}

const columnHeads = [
  'Events',
  'Accounts',
  'Subscriptions',
  'Delivered',
  'Webhooks',
  'Failed at the receiver',
  'kill -9 of the relay',
  'Lost',
  'Out of order',
  'Doubled',
  'of them at kills',
  'Minutes',
  '',
]

function formatEventsTable(
  { accounts, receivers }: EventsHarness,
  findings: readonly SubscriptionFindings[],
  { made }: Faults,
  seconds: number,
  isGood: boolean,
): string {
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
  const events = sum(
    accounts.map(({ acknowledged }) => sum([...acknowledged.values()].map(ids => ids.length))),
  )
  const webhooks = sum(receivers.map(receiver => receiver.requests))
  const delivered = sum(findings.map(each => each.delivered))
  const wrong = sum(receivers.map(({ faults }) => sum([...faults.values()])))
  const row = [
    ...[events, accounts.length, receivers.length, delivered, webhooks],
    `${wrong} (${((100 * wrong) / webhooks).toFixed(1)} %)`,
    ...[made, sum(findings.map(({ lost }) => lost.length))],
    sum(findings.map(({ reordered }) => reordered.length)),
    sum(findings.map(({ doubled }) => doubled)),
    sum(receivers.map(receiver => receiver.answered)) - delivered,
    (seconds / 60).toFixed(1),
    isGood ? 'ok' : 'VIOLATED',
  ]
  return formatTable(columnHeads, [row.map(String)])
}

function formatFaultCounts(receivers: readonly SubscriptionReceiver[]): string {
  return receiverFaults
    .map(
      kind => `${kind} ${receivers.reduce((all, { faults }) => all + (faults.get(kind) ?? 0), 0)}`,
    )
    .join(', ')
}
