import { objectId } from '../../../contract/event-object.js'
import { counted } from '../../../util/text/plural.js'
import { oneLine, table } from '../../terminal/terminal-text.js'
import type { ReceivedHit } from './receive-webhooks.js'
import { type HitCounts, type LaneCounts, sumOf } from './subscription-counts.js'

const widestOutcome = 'unverified'.length

/** A hit and what became of it, on one line. */
export function receivedLine(hit: ReceivedHit & { readonly time: string }): string {
  const time = `${hit.time.slice(11, 19)}Z`
  const outcome = hit.outcome.padEnd(widestOutcome)
  const status = hit.status === null ? 'reset' : String(hit.status).padEnd(5)
  const sequence = hit.sequence === null ? '-' : String(hit.sequence)
  const last = oneLine(`${hit.lane}  ${objectId(hit) ?? hit.id}`)
  return `${time}  ${outcome}  ${status}  ${sequence.padEnd(8)}  ${last}`
}

/** A row for each lane, and their sum. */
export function lanesTable(lanes: readonly LaneCounts[]): string {
  const head = ['ACCEPTED', 'REFUSED', 'RESET', 'DOUBLED', 'REORDERED', 'LOST', 'LANE']
  const rows = lanes.map(lane => [...cellsOf(lane), lane.lane])
  return table(head, [...rows, [...cellsOf(sumOf(lanes)), `all ${lanes.length}`]])
}

/** What the counts cannot say, one sentence each. */
export function doubts(lanes: readonly LaneCounts[], strange: number): string[] {
  const unjudged = lanes.reduce((sum, lane) => sum + lane.unjudged, 0)
  const shared = lanes.filter(lane => lane.shared).map(({ lane }) => lane)
  const unverified = sumOf(lanes).unverified
  return [
    ...(unjudged > 0
      ? [
          `Not judged: ${events(unjudged)} came without a sequence, so nobody knows of gaps and order.`,
        ]
      : []),
    ...shared.map(
      lane =>
        `Several subscriptions seem to use ${oneLine(lane)}: give each an address of its own, or reordered and lost mean nothing.`,
    ),
    ...(unverified > 0 ? [`Refused for their signature: ${unverified}.`] : []),
    ...(strange > 0 ? [`Requests that were no hits of a relay: ${strange}.`] : []),
  ]
}

function cellsOf(counts: HitCounts): string[] {
  const { accepted, refused, reset, doubled, reordered, lost } = counts
  return [accepted, refused, reset, doubled, reordered ?? '-', lost ?? '-'].map(String)
}

function events(count: number): string {
  return counted(count, 'event')
}
