import type { Faults } from '../cells/cell.js'
import type { Options } from '../options.js'
import { markdown } from '../result.js'
import type { Processes } from '../world/processes.js'
import { type EventLane, faultKinds } from './event-lane.js'
import { EventWorld } from './event-world.js'
import { judgeLane, type LaneFindings } from './judge.js'

const most = 20

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
    const findings = histories.map(judgeLane)
    const wrong = violations(findings, faults)
    for (const sentence of wrong.slice(0, most)) process.stderr.write(`events, ${sentence}\n`)
    if (wrong.length > most) process.stderr.write(`events, and ${wrong.length - most} more\n`)
    process.stderr.write(`events: ${kindsIn(world.lanes)}\n`)
    const events = histories.some(({ recorded }) => recorded === undefined)
      ? 'by what was acknowledged'
      : 'by what the service recorded'
    process.stderr.write(`events: judged ${events}\n`)
    console.log(table(world, findings, faults, seconds, wrong.length === 0))
    return wrong.length === 0
  } finally {
    await world.close()
  }
}

/** What of the findings the project does not allow: everything but doubles. */
export function violations(
  findings: readonly LaneFindings[],
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
  'Hits',
  'Gone wrong at the receiver',
  'kill -9 of the service',
  'Lost',
  'Out of order',
  'Doubled',
  'of them at kills',
  'Minutes',
  '',
]

function table(
  { customers, lanes }: EventWorld,
  findings: readonly LaneFindings[],
  { made }: Faults,
  seconds: number,
  isGood: boolean,
): string {
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
  const events = sum(
    customers.map(({ acknowledged }) => sum([...acknowledged.values()].map(ids => ids.length))),
  )
  const hits = sum(lanes.map(lane => lane.hits))
  const delivered = sum(findings.map(each => each.delivered))
  const wrong = sum(lanes.map(({ faults }) => sum([...faults.values()])))
  const row = [
    ...[events, customers.length, lanes.length, delivered, hits],
    `${wrong} (${((100 * wrong) / hits).toFixed(1)} %)`,
    ...[made, sum(findings.map(({ lost }) => lost.length))],
    sum(findings.map(({ reordered }) => reordered.length)),
    sum(findings.map(({ doubled }) => doubled)),
    sum(lanes.map(lane => lane.answered)) - delivered,
    (seconds / 60).toFixed(1),
    isGood ? 'ok' : 'VIOLATED',
  ]
  return markdown(heads, [row.map(String)])
}

function kindsIn(lanes: readonly EventLane[]): string {
  return faultKinds
    .map(kind => `${kind} ${lanes.reduce((all, { faults }) => all + (faults.get(kind) ?? 0), 0)}`)
    .join(', ')
}
