import type { EventName } from '../../../domain/webhook/event.js'
import { RelayError } from '../../../errors.js'

/** What becomes of a message that is made for its events, or `received`: a text comes in. */
export type Lifecycle =
  | 'received'
  | 'created'
  | 'created-sent'
  | 'created-failed'
  | 'created-blocked'

/** The events each {@link Lifecycle} causes, in order. */
export const lifecycleEvents: Readonly<Record<Lifecycle, readonly EventName[]>> = {
  received: ['message.received'],
  created: ['message.create'],
  'created-sent': ['message.create', 'message.sent'],
  'created-failed': ['message.create', 'message.failed'],
  'created-blocked': ['message.create', 'message.blocked'],
}

/** The lifecycles that leave no message waiting. */
export const completeLifecycles: readonly Lifecycle[] = [
  'created-sent',
  'created-failed',
  'created-blocked',
]

/**
 * The lifecycle of a name: an event, which stands for the shortest way to it, or a lifecycle, which may be typed
 * with an arrow (`create→sent`, `create->sent`). Throws `usage`.
 */
export function parseLifecycle(name: string): Lifecycle {
  const [, event] = /^message\.(\w+)$/.exec(name) ?? []
  const [, end] = /^created?(?:\s*(?:-+>?|→)\s*(\w+))?$/.exec(name) ?? []
  const found =
    event === 'received' || name === 'received'
      ? 'received'
      : event === 'create' || name === 'created' || name === 'create'
        ? 'created'
        : `created-${event ?? end ?? ''}`
  if (Object.hasOwn(lifecycleEvents, found)) return found as Lifecycle
  const events =
    'message.create, message.sent, message.failed, message.blocked and message.received'
  throw new RelayError('usage', `There is nothing to trigger that is called "${name}".`, {
    hint: `There are ${events}, and ${completeLifecycles.join(', ')}.`,
  })
}
