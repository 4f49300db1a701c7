import type { MessageClient } from '../../client/message-client.js'
import type { ReceivedTextClient } from '../../client/received-text-client.js'
import { type EventObjectFields, getObjectId } from '../../contract/event-schema.js'
import type { MessageFields } from '../../contract/message-schema.js'
import type { ReceivedTextFields } from '../../contract/received-text-schema.js'
import { isRelayError, isTransient } from '../../errors.js'
import { type Pause, pause as realPause } from '../../util/async/clock.js'

/** The part of a client that fetches what events are about. */
export interface ObjectClient {
  readonly messages: Pick<MessageClient, 'get'>
  readonly receivedTexts: Pick<ReceivedTextClient, 'get'>
}

/** What an event can be about, in full. */
export type FetchedObject = MessageFields | ReceivedTextFields

/** Milliseconds until an object that could not be fetched is asked for again. */
const retryDelay = 1000

/**
 * What an event is about; null when it is no longer there or not named, or when the signal ends it. Asks again while the
 * relay cannot answer.
 */
export async function fetchObject(
  client: ObjectClient,
  about: EventObjectFields<string | null>,
  signal: AbortSignal,
  pause: Pause = realPause,
): Promise<FetchedObject | null> {
  const id = getObjectId(about)
  if (id === null) return null
  const isReceived = typeof about.received?.id === 'string'
  for (;;) {
    try {
      return isReceived
        ? await client.receivedTexts.get(id, { signal })
        : await client.messages.get(id, { signal })
    } catch (error) {
      if (signal.aborted || isGone(error)) return null
      if (!isTransient(error)) throw error
      await pause(retryDelay, signal)
    }
  }
}

function isGone(error: unknown): boolean {
  return isRelayError(error, 'not_a_message') || isRelayError(error, 'not_found')
}
