import { getObjectId } from '../../../contract/event-schema.js'
import { pluralize } from '../../../util/text/plural.js'
import { formatTable, toOneLine } from '../../terminal/terminal-text.js'
import type { AnsweredWebhook } from './receive-webhooks.js'
import { type SubscriptionCounts, sumCounts, type WebhookCounts } from './subscription-counts.js'

const outcomeWidth = 'unverified'.length

/** A hit and what became of it, on one line. */
export function formatReceivedWebhook(hit: AnsweredWebhook & { readonly time: string }): string {
  const time = `${hit.time.slice(11, 19)}Z`
  const outcome = hit.outcome.padEnd(outcomeWidth)
  const status = hit.status === null ? 'reset' : String(hit.status).padEnd(5)
  const sequence = hit.sequence === null ? '-' : String(hit.sequence)
  const last = toOneLine(`${hit.lane}  ${getObjectId(hit) ?? hit.id}`)
  return `${time}  ${outcome}  ${status}  ${sequence.padEnd(8)}  ${last}`
}

/** A row for each lane, and their sum. */
export function formatCountsTable(lanes: readonly SubscriptionCounts[]): string {
  const head = ['ACCEPTED', 'REFUSED', 'RESET', 'DOUBLED', 'REORDERED', 'LOST', 'LANE']
  const rows = lanes.map(lane => [...toCells(lane), lane.lane])
  return formatTable(head, [...rows, [...toCells(sumCounts(lanes)), `all ${lanes.length}`]])
}

/** What the counts cannot say, one sentence each. */
export function formatWarnings(lanes: readonly SubscriptionCounts[], strange: number): string[] {
  const unjudged = lanes.reduce((sum, lane) => sum + lane.unjudged, 0)
  const shared = lanes.filter(lane => lane.shared).map(({ lane }) => lane)
  const unverified = sumCounts(lanes).unverified
  return [
    ...(unjudged > 0
      ? [
          `Not judged: ${countEvents(unjudged)} came without a sequence, so nobody knows of gaps and order.`,
        ]
      : []),
    ...shared.map(
      lane =>
        `Several subscriptions seem to use ${toOneLine(lane)}: give each an address of its own, or reordered and lost mean nothing.`,
    ),
    ...(unverified > 0 ? [`Refused for their signature: ${unverified}.`] : []),
    ...(strange > 0 ? [`Requests that were no hits of a relay: ${strange}.`] : []),
  ]
}

function toCells(counts: WebhookCounts): string[] {
  const { accepted, refused, reset, doubled, reordered, lost } = counts
  return [accepted, refused, reset, doubled, reordered ?? '-', lost ?? '-'].map(String)
}

function countEvents(count: number): string {
  return pluralize(count, 'event')
}
