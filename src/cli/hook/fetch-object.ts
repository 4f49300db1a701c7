import type { DoNotTextClient } from '../../client/do-not-text-client.js'
import type { MessageClient } from '../../client/message-client.js'
import type { ReceivedTextClient } from '../../client/received-text-client.js'
import type { SubscriptionClient } from '../../client/subscription-client.js'
import type { DoNotTextFields } from '../../contract/do-not-text-schema.js'
import { type EventObjectFields, getObjectId } from '../../contract/event-schema.js'
import type { MessageFields } from '../../contract/message-schema.js'
import type { ReceivedTextFields } from '../../contract/received-text-schema.js'
import type { SubscriptionFields } from '../../contract/subscription-schema.js'
import { isRelayError, isTransient } from '../../errors.js'
import type { Clock } from '../../util/async/clock.js'

export interface ObjectClient {
  readonly messages: Pick<MessageClient, 'get'>
  readonly receivedTexts: Pick<ReceivedTextClient, 'get'>
  readonly doNotText: Pick<DoNotTextClient, 'get'>
  readonly subscriptions: Pick<SubscriptionClient, 'get'>
}

export type FetchedObject =
  | MessageFields
  | ReceivedTextFields
  | DoNotTextFields
  | SubscriptionFields

const retryMilliseconds = 1000

/**
 * Fetches the object of an event for `hook listen --fetch`: a message, received text, Do Not Text
 * entry or subscription. Retries while the relay is unavailable. Null if the object is deleted, the
 * event names no object, or the signal is aborted.
 */
export async function fetchObject(
  client: ObjectClient,
  event: EventObjectFields<string | null>,
  signal: AbortSignal,
  sleep: Clock['sleep'],
): Promise<FetchedObject | null> {
  const id = getObjectId(event)
  if (id === null) return null
  for (;;) {
    try {
      if (event.received) return await client.receivedTexts.get(id, { signal })
      if (event.number) return await client.doNotText.get(id, { signal })
      if (event.subscription) return await client.subscriptions.get(id, { signal })
      return await client.messages.get(id, { signal })
    } catch (error) {
      if (signal.aborted || isDeleted(error)) return null
      if (!isTransient(error)) throw error
      await sleep(retryMilliseconds, signal)
    }
  }
}

function isDeleted(error: unknown): boolean {
  const codes = ['not_a_message', 'not_a_subscription', 'not_found'] as const
  return codes.some(code => isRelayError(error, code))
}
