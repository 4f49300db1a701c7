import type { Faults } from '../cells/cell.js'
import type { Options } from '../options.js'
import { markdown } from '../result.js'
import type { Processes } from '../world/processes.js'
import { type EventReceiver, faultKinds } from './event-receiver.js'
import { EventWorld } from './event-world.js'
import { judgeSubscription, type SubscriptionFindings } from './judge-subscription.js'

const maxShown = 20

/** Runs the proof of the events, prints its table, and resolves to whether it holds. */
export async function runEvents(
  { seed, scale }: Pick<Options, 'seed' | 'scale'>,
  processes: Processes,
): Promise<boolean> {
  const from = performance.now()
  const world = new EventWorld(processes, scale, seed)
  try {
    await world.begin()
    const faults = await world.run()
    const seconds = (performance.now() - from) / 1000
    const histories = await world.histories()
    const findings = histories.map(judgeSubscription)
    const wrong = violations(findings, faults)
    for (const sentence of wrong.slice(0, maxShown)) process.stderr.write(`events, ${sentence}\n`)
    if (wrong.length > maxShown)
      process.stderr.write(`events, and ${wrong.length - maxShown} more\n`)
    process.stderr.write(`events: ${formatFaults(world.receivers)}\n`)
    const events = histories.some(({ recorded }) => recorded === undefined)
      ? 'by acknowledged events'
      : 'by recorded events'
    process.stderr.write(`events: judged ${events}\n`)
    console.log(table(world, findings, faults, seconds, wrong.length === 0))
    return wrong.length === 0
  } finally {
    await world.close()
  }
}

/** The findings that violate a promise: all but repeated deliveries. */
export function violations(
  findings: readonly SubscriptionFindings[],
  { absent }: Pick<Faults, 'absent'>,
): string[] {
  return [
    ...findings.flatMap(({ lost, reordered, strange }) => [...lost, ...reordered, ...strange]),
    ...absent.map(fault => `did not happen: ${fault}`),
  ]
}

const heads = [
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

function table(
  { customers, receivers }: EventWorld,
  findings: readonly SubscriptionFindings[],
  { made }: Faults,
  seconds: number,
  isGood: boolean,
): string {
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
  const events = sum(
    customers.map(({ acknowledged }) => sum([...acknowledged.values()].map(ids => ids.length))),
  )
  const webhooks = sum(receivers.map(receiver => receiver.webhooks))
  const delivered = sum(findings.map(each => each.delivered))
  const wrong = sum(receivers.map(({ faults }) => sum([...faults.values()])))
  const row = [
    ...[events, customers.length, receivers.length, delivered, webhooks],
    `${wrong} (${((100 * wrong) / webhooks).toFixed(1)} %)`,
    ...[made, sum(findings.map(({ lost }) => lost.length))],
    sum(findings.map(({ reordered }) => reordered.length)),
    sum(findings.map(({ doubled }) => doubled)),
    sum(receivers.map(receiver => receiver.answered)) - delivered,
    (seconds / 60).toFixed(1),
    isGood ? 'ok' : 'VIOLATED',
  ]
  return markdown(heads, [row.map(String)])
}

function formatFaults(receivers: readonly EventReceiver[]): string {
  return faultKinds
    .map(
      kind => `${kind} ${receivers.reduce((all, { faults }) => all + (faults.get(kind) ?? 0), 0)}`,
    )
    .join(', ')
}
