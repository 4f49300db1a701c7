import type { RelayClient } from '../../../client/relay-client.js'
import type { EventFields } from '../../../contract/event-reply.js'
import type { Pause } from '../../../util/async/clock.js'
import { fetchObject, type ObjectClient } from '../fetch-object.js'
import type { ListenEnd } from './listen-end.js'
import type { ListenNotice } from './listen-events.js'
import type { From } from './listen-values.js'
import type { HookDelivery } from './local-delivery.js'
import type { HookPlace } from './stream-position.js'

/** The part of a client that listening to the stream needs. */
export type StreamClient = Pick<RelayClient, 'events' | 'followEvents' | 'url'> & ObjectClient

/** How events are listened to over the event stream. */
export interface StreamingOptions {
  readonly client: StreamClient
  /** Undefined: every event. */
  readonly events: readonly string[] | undefined
  /** Undefined: where it was left, else now. */
  readonly from: From | undefined
  /** Hands events on; without one they are only shown. */
  readonly delivery?: HookDelivery | undefined
  /** What is remembered for {@link delivery}. */
  readonly place?: HookPlace | undefined
  /** Whether an event that is not taken ends it, instead of being noted as refused. */
  readonly isStrict: boolean
  readonly fetches: boolean
  readonly pause: Pause
  readonly end: ListenEnd
  /** Called when the stream stands, also after it was lost; before events of it are handed on. */
  readonly onOpen: () => Promise<void>
  readonly tell: (notice: ListenNotice) => void
}

/** Listens over the event stream until its end; events are done with one after the other. */
export async function listenToStream(options: StreamingOptions): Promise<void> {
  const { client, events, place, end, tell, onOpen } = options
  const { signal } = end
  const after = await startOf(options)
  const refused = options.from?.kind === 'failed' ? (place?.refused ?? []) : []
  place?.begin(after)
  await place?.saved()
  let previous = after
  let isReady = false
  for await (const notice of client.followEvents({ after, events, signal })) {
    if (notice.type === 'open') {
      await onOpen()
      if (!isReady) tell({ type: 'ready', mode: 'stream', url: client.url })
      if (!isReady) await again(options, refused)
      isReady = true
    } else if (notice.type === 'event') {
      await handle(options, notice.event, previous)
      place?.check()
      if (!signal.aborted) previous = notice.event.sequence
    } else if (notice.type === 'missing') tell(notice)
    else {
      const { error, attempt, wait } = notice
      const { code, message } = error
      tell({ type: 'reconnecting', error: { code, message }, attempt, wait })
    }
    if (signal.aborted) return
  }
}

/** The place to begin behind. A relay that never came so far is another one, or was set back. */
async function startOf({ client, events, from, place, end }: StreamingOptions): Promise<number> {
  const call = { signal: end.signal }
  const after = from?.kind === 'after' ? from.after : undefined
  const { last, events: found } = await client.events({ after: after ?? 0, events, count: 1 }, call)
  const known = from?.kind === 'now' ? undefined : place?.acknowledged
  if (after === undefined) return Math.min(known ?? last, last)
  if (after >= 0) return after
  const first = found[0]
  return first === undefined ? last : first.sequence - 1
}

/** Hands on what was refused before. */
async function again(options: StreamingOptions, refused: readonly number[]): Promise<void> {
  const { client, delivery, place, end } = options
  for (const sequence of refused) {
    if (end.signal.aborted || delivery === undefined) return
    const query = { after: sequence - 1, count: 1 }
    const { events } = await client.events(query, { signal: end.signal })
    const event = events.find(each => each.sequence === sequence)
    if (event === undefined) {
      place?.settle(sequence)
      continue
    }
    options.tell({ type: 'event', ...event })
    const taken = await delivery.deliver(event, sequence - 1, end.signal)
    if (taken === true) place?.settle(sequence)
    if (taken === true) end.done(event.event)
    else if (taken === false && options.isStrict) end.end('unexpected')
  }
}

async function handle(
  options: StreamingOptions,
  event: EventFields,
  previous: number,
): Promise<void> {
  const { client, delivery, place, end, isStrict, fetches, pause, tell } = options
  const fetched = fetches ? { fetched: await fetchObject(client, event, end.signal, pause) } : {}
  if (end.signal.aborted) return
  tell({ type: 'event', ...event, ...fetched })
  const taken = delivery === undefined ? true : await delivery.deliver(event, previous, end.signal)
  if (taken === undefined) return
  if (!taken && isStrict) return end.end('unexpected')
  if (taken) place?.acknowledge(event.sequence)
  else place?.refuse(event.sequence)
  end.done(event.event)
}
