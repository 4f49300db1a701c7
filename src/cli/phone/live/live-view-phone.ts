import type { PartsRate } from '../../../phone/rate-limit/parts-rate.js'
import type { Connection } from '../../profile/connection.js'
import type { Io } from '../../terminal/io.js'
import { type LiveView, openLiveView } from './live-view.js'
import { pollQueue } from './queue-polling.js'

/** What {@link watchLive} works with. */
export interface PhoneLiveViewOptions {
  readonly io: Io
  readonly connection: Connection
  readonly rates: readonly PartsRate[]
}

/** The live view of a phone with what waits at its relay. Throws `configuration` where it cannot be had. */
export async function openPhoneLiveView({
  io,
  connection,
  rates,
}: PhoneLiveViewOptions): Promise<LiveView> {
  const live = await openLiveView({ io, url: connection.url, rates })
  const stop = new AbortController()
  void pollQueue(connection, queue => live.setQueue(queue), stop.signal)
  let open = true
  return {
    ...live,
    [Symbol.dispose]() {
      if (!open) return
      open = false
      stop.abort()
      live[Symbol.dispose]()
    },
  }
}
