import type { RelayClient } from '../../../client/relay-client.js'
import type { EventFields } from '../../../contract/event-schema.js'
import type { Pause } from '../../../util/async/clock.js'
import { fetchObject, type ObjectClient } from '../fetch-object.js'
import type { ListenEnd } from './listen-end.js'
import type { ListenerNotice } from './listen-events.js'
import type { StartPosition } from './listen-values.js'
import type { LocalDelivery } from './local-delivery.js'
import type { StreamPosition } from './stream-position.js'

/** The part of a client that listening to the stream needs. */
export type EventStreamClient = Pick<RelayClient, 'events' | 'followEvents' | 'url'> & ObjectClient

/** How events are listened to over the event stream. */
export interface StreamListenOptions {
  readonly client: EventStreamClient
  /** Undefined: every event. */
  readonly events: readonly string[] | undefined
  /** Undefined: where it was left, else now. */
  readonly from: StartPosition | undefined
  /** Hands events on; without one they are only shown. */
  readonly delivery?: LocalDelivery | undefined
  /** What is remembered for {@link delivery}. */
  readonly place?: StreamPosition | undefined
  /** Whether an event that is not taken ends it, instead of being noted as refused. */
  readonly endsOnFailure: boolean
  readonly fetches: boolean
  readonly pause: Pause
  readonly end: ListenEnd
  /** Called when the stream stands, also after it was lost; before events of it are handed on. */
  readonly onOpen: () => Promise<void>
  readonly onEvent: (notice: ListenerNotice) => void
}

/** Listens over the event stream until its end; events are done with one after the other. */
export async function listenToStream(options: StreamListenOptions): Promise<void> {
  const { client, events, place, end, onEvent: tell, onOpen } = options
  const { signal } = end
  const after = await findStart(options)
  const refused = options.from?.kind === 'failed' ? (place?.refused ?? []) : []
  place?.start(after)
  await place?.flush()
  let previous = after
  let isReady = false
  for await (const notice of client.followEvents({ after, events, signal })) {
    if (notice.type === 'open') {
      await onOpen()
      if (!isReady) tell({ type: 'ready', mode: 'stream', url: client.url })
      if (!isReady) await redeliverFailed(options, refused)
      isReady = true
    } else if (notice.type === 'event') {
      await handleEvent(options, notice.event, previous)
      place?.assertWritten()
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
async function findStart({
  client,
  events,
  from,
  place,
  end,
}: StreamListenOptions): Promise<number> {
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
async function redeliverFailed(
  options: StreamListenOptions,
  refused: readonly number[],
): Promise<void> {
  const { client, delivery, place, end } = options
  for (const sequence of refused) {
    if (end.signal.aborted || delivery === undefined) return
    const query = { after: sequence - 1, count: 1 }
    const { events } = await client.events(query, { signal: end.signal })
    const event = events.find(each => each.sequence === sequence)
    if (event === undefined) {
      place?.removeFailed(sequence)
      continue
    }
    options.onEvent({ type: 'event', ...event })
    const taken = await delivery.deliver(event, sequence - 1, end.signal)
    if (taken === true) place?.removeFailed(sequence)
    if (taken === true) end.countEvent(event.event)
    else if (taken === false && options.endsOnFailure) end.end('unexpected')
  }
}

async function handleEvent(
  options: StreamListenOptions,
  event: EventFields,
  previous: number,
): Promise<void> {
  const {
    client,
    delivery,
    place,
    end,
    endsOnFailure: isStrict,
    fetches,
    pause,
    onEvent: tell,
  } = options
  const fetched = fetches ? { fetched: await fetchObject(client, event, end.signal, pause) } : {}
  if (end.signal.aborted) return
  tell({ type: 'event', ...event, ...fetched })
  const taken = delivery === undefined ? true : await delivery.deliver(event, previous, end.signal)
  if (taken === undefined) return
  if (!taken && isStrict) return end.end('unexpected')
  if (taken) place?.acknowledge(event.sequence)
  else place?.markFailed(event.sequence)
  end.countEvent(event.event)
}
