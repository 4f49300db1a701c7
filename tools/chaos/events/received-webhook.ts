import { findObjectId } from '../../../src/cli/hook/listen/temporary-subscriptions.js'
import type { IncomingWebhook } from '../../../src/cli/hook/webhook-receiver.js'
import type { ProcessedWebhook } from './order-checker.js'

/** What a webhook says of its event; undefined if it has no id. */
export function parseReceivedWebhook(
  webhook: IncomingWebhook,
): (ProcessedWebhook & { readonly message: string | null }) | undefined {
  const { headers } = webhook
  const message = findObjectId(webhook)
  const id = String(headers['webhook-id'] ?? message ?? '')
  if (id === '') return undefined
  const sequence = toInteger(headers['webhook-sequence'])
  const previous = toInteger(headers['webhook-previous'])
  return { id, message, sequence, previous }
}

function toInteger(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
