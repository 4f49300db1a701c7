import type { SubscriptionCreate, SubscriptionEdit } from '../../contract/subscription-schema.js'
import type { SubscriptionChanges } from '../../domain/webhook/subscription-state.js'
import { changeHeaders } from '../../domain/webhook/webhook-headers.js'
import type { SubscriptionDraft } from '../services/webhooks/subscription-service.js'

export function toSubscriptionDraft(fields: SubscriptionCreate): SubscriptionDraft {
  const { on_exhausted: onExhausted, retry_schedule: delays, listener, headers, ...draft } = fields
  const own = changeHeaders({}, headers ?? null)
  return {
    ...draft,
    ...(own === undefined ? {} : { headers: own }),
    onExhausted,
    ...(delays === null ? {} : { schedule: toMilliseconds(delays) }),
    ...(listener === undefined ? {} : { listenerName: listener }),
  }
}

export function toSubscriptionChanges(fields: SubscriptionEdit): SubscriptionChanges {
  const { url, method, post, headers, window, listener } = fields
  const { on_exhausted: onExhausted, retry_schedule: delays } = fields
  return {
    ...(url === undefined ? {} : { url }),
    ...(method === undefined ? {} : { method }),
    ...(post === undefined ? {} : { post }),
    ...(headers === undefined ? {} : { headers }),
    ...(onExhausted === undefined ? {} : { onExhausted }),
    ...(window === undefined ? {} : { window }),
    ...(delays === undefined ? {} : { schedule: delays && toMilliseconds(delays) }),
    ...(listener === undefined ? {} : { listenerName: listener }),
  }
}

function toMilliseconds(seconds: readonly number[]): number[] {
  return seconds.map(each => each * 1000)
}
