import { once } from 'node:events'
import { withSignal } from '../util/with-signal.js'
import { startReceiver } from './hook-receiver.js'
import { type EventHit, HookSession, type SessionOptions } from './hook-session.js'

/** Why listening ended. */
export type EndReason = 'count' | 'max-wait' | 'stopped'

/** How listening went. */
export interface ListeningResult {
  readonly reason: EndReason
  readonly hits: number
  /** Identifiers of subscriptions that could not be removed. */
  readonly left: readonly string[]
}

/** What to listen to, until when, and whom to tell. */
export interface ListeningOptions extends Omit<SessionOptions, 'url'> {
  readonly host: string
  readonly port: number
  /** Address at which the relay reaches the receiver. @default the receiver's own */
  readonly publicUrl?: string | undefined
  /** Aborted when somebody stops it. */
  readonly signal: AbortSignal
  /** Hits to wait for. */
  readonly count?: number | undefined
  /** Milliseconds to wait at most. */
  readonly maxWait?: number | undefined
  /** Told once the relay's hits can arrive. */
  readonly onReady: (url: string) => void
  /** Told of each hit, never before `onReady`. */
  readonly onHit: (hit: EventHit) => void
}

/** Receives hits by temporary subscriptions, which are gone at the end, whatever the end. */
export async function listenForHits(options: ListeningOptions): Promise<ListeningResult> {
  const full = new AbortController()
  const begun = new AbortController()
  let session: HookSession | undefined
  let hits = 0
  const receiver = await startReceiver({
    host: options.host,
    port: options.port,
    onHit: async hit => {
      await aborted(begun.signal)
      const read = session?.read(hit)
      if (read === undefined || full.signal.aborted) return false
      hits += 1
      options.onHit(read)
      if (hits === options.count) full.abort()
      return true
    },
  })
  const url = options.publicUrl ?? receiver.url
  session = new HookSession({ ...options, url })
  let reason: EndReason = 'stopped'
  let left: readonly string[] = []
  try {
    await session.begin(options.signal)
    options.onReady(url)
    begun.abort()
    reason = await untilEnd(options, full.signal)
  } finally {
    begun.abort()
    await receiver.close()
    left = await session.end()
  }
  return { reason, hits, left }
}

/** Waits until enough hits have come, the time is over or somebody stops it. */
async function untilEnd(
  { signal, maxWait }: ListeningOptions,
  full: AbortSignal,
): Promise<EndReason> {
  const late = new AbortController()
  const timer = maxWait === undefined ? undefined : setTimeout(() => late.abort(), maxWait)
  await withSignal([signal, full, late.signal], aborted)
  clearTimeout(timer)
  if (full.aborted) return 'count'
  return signal.aborted ? 'stopped' : 'max-wait'
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
