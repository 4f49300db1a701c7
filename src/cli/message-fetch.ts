import type { RelayClient } from '../client/relay-client.js'
import type { MessageFields } from '../contract/message-reply.js'
import { isRelayError } from '../errors.js'
import { type Pause, pause as realPause } from '../util/pause.js'
import { isPassing } from './wait.js'

/** Milliseconds until a message that could not be fetched is asked for again. */
const askAgain = 1000

/** A message; null when it is no longer there, or when the signal ends it. Asks again while the relay cannot answer. */
export async function fetchMessage(
  client: Pick<RelayClient, 'getMessage'>,
  id: string,
  signal: AbortSignal,
  pause: Pause = realPause,
): Promise<MessageFields | null> {
  for (;;) {
    try {
      return await client.getMessage(id, { signal })
    } catch (error) {
      if (signal.aborted || isRelayError(error, 'not_a_message')) return null
      if (!isPassing(error)) throw error
      await pause(askAgain, signal)
    }
  }
}
