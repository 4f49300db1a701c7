import { httpRequester } from '../../../client/http-request.js'
import { type QueueFields, readQueue } from '../../../client/queue.js'
import { Transport } from '../../../client/transport.js'
import { type Pause, pause } from '../../../util/pause.js'
import type { Connection } from '../../connection.js'

/** Milliseconds between two looks; the second where the relay knows no queue. */
const often = 5000
const seldom = 300_000

/** Tells what waits at the relay, again and again until it is stopped; undefined while nobody knows. Never rejects. */
export async function watchQueue(
  connection: Connection,
  tell: (queue: QueueFields | undefined) => void,
  stop: AbortSignal,
  wait: Pause = pause,
): Promise<void> {
  const options = { request: httpRequester, retries: 0, ...connection }
  const transport = new Transport({ ...options, timeout: often })
  while (!stop.aborted) {
    const queue = await readQueue(transport, { signal: stop }).catch(() => null)
    if (stop.aborted) return
    tell(queue ?? undefined)
    await wait(queue === undefined ? seldom : often, stop)
  }
}
