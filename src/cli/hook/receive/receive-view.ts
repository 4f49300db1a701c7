import { getObjectId } from '../../../contract/event-schema.js'
import { pluralize } from '../../../util/text/plural.js'
import { toOneLine } from '../../terminal/terminal-text.js'
import { formatTable } from '../../terminal/text-table.js'
import type { AnsweredWebhook } from './receive-webhooks.js'
import { type SubscriptionCounts, sumCounts, type WebhookCounts } from './subscription-counts.js'

const outcomeWidth = 'unverified'.length

export function formatReceivedWebhook(webhook: AnsweredWebhook, time: string): string {
  const outcome = webhook.outcome.padEnd(outcomeWidth)
  const status = webhook.status === null ? 'reset' : String(webhook.status).padEnd(5)
  const sequence = webhook.sequence === null ? '-' : String(webhook.sequence)
  const last = toOneLine(`${webhook.address}  ${getObjectId(webhook) ?? webhook.id}`)
  return `${time.slice(11, 19)}Z  ${outcome}  ${status}  ${sequence.padEnd(8)}  ${last}`
}

export function formatCountsTable(subscriptions: readonly SubscriptionCounts[]): string {
  const head = ['ACCEPTED', 'REFUSED', 'RESET', 'DOUBLED', 'REORDERED', 'LOST', 'SUBSCRIPTION']
  const rows = subscriptions.map(each => [...toCells(each), each.address])
  const total = [...toCells(sumCounts(subscriptions)), `all ${subscriptions.length}`]
  return formatTable({ head, rows: [...rows, total] })
}

export function formatWarnings(
  subscriptions: readonly SubscriptionCounts[],
  strange: number,
): string[] {
  const unjudged = subscriptions.reduce((sum, each) => sum + each.unjudged, 0)
  const { unverified } = sumCounts(subscriptions)
  const warnings = subscriptions
    .filter(each => each.shared)
    .map(({ address }) => {
      const advice = 'Give each its own address, or reordered and lost are wrong.'
      return `Several subscriptions seem to use ${toOneLine(address)}. ${advice}`
    })
  if (unjudged > 0) {
    warnings.unshift(`${pluralize(unjudged, 'event')} had no sequence, so their order is unknown.`)
  }
  if (unverified > 0) warnings.push(`${pluralize(unverified, 'webhook')} had no valid signature.`)
  if (strange > 0) warnings.push(`${pluralize(strange, 'request')} had no id of an event.`)
  return warnings
}

function toCells(counts: WebhookCounts): string[] {
  const { accepted, refused, reset, doubled, reordered, lost } = counts
  return [accepted, refused, reset, doubled, reordered ?? '-', lost ?? '-'].map(String)
}
