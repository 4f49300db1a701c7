import { RelayClient } from '../../../client/relay-client.js'
import { sendWithoutKy } from '../../../client/request-sender.js'
import type { QueueFields } from '../../../contract/phone-schema.js'
import type { PartsRate } from '../../../phone/rate-limit/parts-rate.js'
import type { Clock } from '../../../util/async/clock.js'
import type { KeyConnection } from '../../profile/connection.js'
import type { Io } from '../../terminal/io.js'
import { getQueueStatus } from '../queue-status.js'
import { type LiveView, openLiveView } from './live-view.js'

/** Milliseconds. */
const pollInterval = 5000
/** Milliseconds between polls of the queue at a relay that does not support the request. */
const unsupportedPollInterval = 300_000

/**
 * Opens the terminal's live view with the relay's message queue. Throws `configuration` if ink is
 * missing.
 */
export async function openPhoneLiveView(
  io: Io,
  connection: KeyConnection,
  rates: readonly PartsRate[],
): Promise<LiveView> {
  const view = await openLiveView({ io, url: connection.url, rates })
  const stop = new AbortController()
  void pollQueue(connection, queue => view.setQueue(queue), stop.signal, io.clock)
  let isOpen = true
  return {
    ...view,
    [Symbol.dispose]() {
      if (!isOpen) return
      isOpen = false
      stop.abort()
      view[Symbol.dispose]()
    },
  }
}

/**
 * Polls the relay's message queue for the terminal's live view every 5 s; calls `onQueue` with
 * undefined if the relay does not respond. Never throws.
 */
export async function pollQueue(
  connection: KeyConnection,
  onQueue: (queue: QueueFields | undefined) => void,
  stop: AbortSignal,
  clock: Pick<Clock, 'sleep'>,
): Promise<void> {
  const options = { request: sendWithoutKy, retries: 0, ...connection }
  const client = new RelayClient({ ...options, timeout: pollInterval })
  while (!stop.aborted) {
    const queue = await getQueueStatus(client, { signal: stop }).catch(() => null)
    if (stop.aborted) return
    onQueue(queue ?? undefined)
    await clock.sleep(queue === undefined ? unsupportedPollInterval : pollInterval, stop)
  }
}
