import type { DoNotTextClient } from '../../client/do-not-text-client.js'
import type { MessageClient } from '../../client/message-client.js'
import type { ReceivedTextClient } from '../../client/received-text-client.js'
import type { DoNotTextFields } from '../../contract/do-not-text-schema.js'
import { type EventObjectFields, getObjectId } from '../../contract/event-schema.js'
import type { MessageFields } from '../../contract/message-schema.js'
import type { ReceivedTextFields } from '../../contract/received-text-schema.js'
import { isRelayError, isTransient } from '../../errors.js'
import type { Clock } from '../../util/async/clock.js'

export interface ObjectClient {
  readonly messages: Pick<MessageClient, 'get'>
  readonly receivedTexts: Pick<ReceivedTextClient, 'get'>
  readonly doNotText: Pick<DoNotTextClient, 'get'>
}

export type FetchedObject = MessageFields | ReceivedTextFields | DoNotTextFields

const retryMilliseconds = 1000

/**
 * Fetches the message, received text or Do Not Text entry of an event for `hook listen --fetch`,
 * with retries while the relay is unavailable. Null if it is deleted, the event names no object, or
 * the signal is aborted.
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
      return await client.messages.get(id, { signal })
    } catch (error) {
      if (signal.aborted || isDeleted(error)) return null
      if (!isTransient(error)) throw error
      await sleep(retryMilliseconds, signal)
    }
  }
}

function isDeleted(error: unknown): boolean {
  return isRelayError(error, 'not_a_message') || isRelayError(error, 'not_found')
}
