import { RelayClient } from '../../../client/relay-client.js'
import { sendWithoutKy } from '../../../client/request-sender.js'
import type { QueueFields } from '../../../contract/phone-schema.js'
import { type Pause, pause } from '../../../util/async/clock.js'
import type { Connection } from '../../profile/connection.js'
import { getQueueStatus } from '../queue-status.js'

/** Milliseconds between two looks; the second where the relay knows no queue. */
const pollInterval = 5000
const unsupportedPollInterval = 300_000

/** Tells what waits at the relay, again and again until it is stopped; undefined while nobody knows. Never rejects. */
export async function pollQueue(
  connection: Connection,
  tell: (queue: QueueFields | undefined) => void,
  stop: AbortSignal,
  wait: Pause = pause,
): Promise<void> {
  const options = { request: sendWithoutKy, retries: 0, ...connection }
  const client = new RelayClient({ ...options, timeout: pollInterval })
  while (!stop.aborted) {
    const queue = await getQueueStatus(client, { signal: stop }).catch(() => null)
    if (stop.aborted) return
    tell(queue ?? undefined)
    await wait(queue === undefined ? unsupportedPollInterval : pollInterval, stop)
  }
}
