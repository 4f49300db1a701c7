import type { SubscriptionCreate, SubscriptionEdit } from '../../contract/subscription-schema.js'
import type { SubscriptionChanges } from '../../domain/webhook/subscription-state.js'
import type { SubscriptionDraft } from '../services/webhooks/subscription-service.js'

export function toSubscriptionDraft(fields: SubscriptionCreate): SubscriptionDraft {
  const { on_exhausted: onExhausted, retry_schedule: delays, listener, ...draft } = fields
  return {
    ...draft,
    onExhausted,
    ...(delays === null ? {} : { schedule: toMilliseconds(delays) }),
    ...(listener === undefined ? {} : { listenerName: listener }),
  }
}

export function toSubscriptionChanges(fields: SubscriptionEdit): SubscriptionChanges {
  const { url, method, post, window, listener } = fields
  const { on_exhausted: onExhausted, retry_schedule: delays } = fields
  return {
    ...(url === undefined ? {} : { url }),
    ...(method === undefined ? {} : { method }),
    ...(post === undefined ? {} : { post }),
    ...(onExhausted === undefined ? {} : { onExhausted }),
    ...(window === undefined ? {} : { window }),
    ...(delays === undefined ? {} : { schedule: delays && toMilliseconds(delays) }),
    ...(listener === undefined ? {} : { listenerName: listener }),
  }
}

function toMilliseconds(seconds: readonly number[]): number[] {
  return seconds.map(each => each * 1000)
}
