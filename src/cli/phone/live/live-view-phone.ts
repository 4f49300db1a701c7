import type { Rate } from '../../../phone/rate-limit/parts-rate.js'
import type { Connection } from '../../profile/connection.js'
import type { Io } from '../../terminal/io.js'
import { type Live, openLive } from './live-view.js'
import { watchQueue } from './queue-polling.js'

/** What {@link watchLive} works with. */
export interface WatchOptions {
  readonly io: Io
  readonly connection: Connection
  readonly rates: readonly Rate[]
}

/** The live view of a phone with what waits at its relay. Throws `configuration` where it cannot be had. */
export async function watchLive({ io, connection, rates }: WatchOptions): Promise<Live> {
  const live = await openLive({ io, url: connection.url, rates })
  const stop = new AbortController()
  void watchQueue(connection, queue => live.queue(queue), stop.signal)
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
