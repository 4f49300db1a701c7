import { join } from 'node:path'
import type { EventFields } from '../../../contract/event-schema.js'
import { isTransient } from '../../../errors.js'
import { fetchObject } from '../fetch-object.js'
import type { ListenContext } from './listen-context.js'
import type { LocalDelivery } from './local-delivery.js'
import { getPositionDirectoryName, StreamPosition } from './stream-position.js'

interface Destination {
  readonly delivery: LocalDelivery
  readonly position: StreamPosition
}

/** Reads the relay's event stream until `hook listen` ends; finishes each event before the next. */
export async function listenToStream(context: ListenContext): Promise<void> {
  const { delivery } = context
  if (delivery === undefined) return await readStream(context, undefined)
  const position = await openPosition(context, delivery.target)
  try {
    await readStream(context, { delivery, position })
  } finally {
    await position.close()
  }
}

async function openPosition(
  { client, user, settings, stateDir }: ListenContext,
  target: string,
): Promise<StreamPosition> {
  const key = { url: client.url, user, target, events: settings.events }
  return await StreamPosition.open(join(stateDir, getPositionDirectoryName(key)))
}

async function readStream(context: ListenContext, to: Destination | undefined): Promise<void> {
  const { client, settings, events, forwardTo, end, onEvent } = context
  const { signal } = end
  const after = await findStart(context, to?.position.acknowledged)
  const failed = settings.from?.kind === 'failed' ? (to?.position.failed ?? []) : []
  to?.position.start(after)
  await to?.position.flush()
  let previous = after
  let isReady = false
  for await (const notice of client.events.follow({ after, events: settings.events, signal })) {
    if (notice.type === 'open') {
      if (to !== undefined) await updateSecret(context, to.delivery)
      if (!isReady) {
        const secret = to === undefined ? {} : { secret: to.delivery.secret }
        onEvent({ type: 'ready', mode: 'stream', url: client.url, events, ...forwardTo, ...secret })
        if (to !== undefined) await deliverFailed(context, to, failed)
      }
      isReady = true
    } else if (notice.type === 'event') {
      await handleEvent(context, to, notice.event, previous)
      to?.position.assertWritten()
      if (!signal.aborted) previous = notice.event.sequence
    } else if (notice.type === 'missing') onEvent(notice)
    else {
      const { error, attempt, wait } = notice
      const { code, message } = error
      onEvent({ type: 'reconnecting', error: { code, message }, attempt, wait })
    }
    if (signal.aborted) return
  }
}

/**
 * Finds the event sequence after which `hook listen` starts. A saved position beyond the relay's
 * last event is from another relay or from before a restored backup, so the last event counts then.
 */
async function findStart(
  { client, settings, end }: ListenContext,
  saved: number | undefined,
): Promise<number> {
  const { from, events } = settings
  const after = from?.kind === 'after' ? from.after : undefined
  const query = { after: after ?? 0, events, count: 1 }
  const { last, events: found } = await client.events.list(query, { signal: end.signal })
  const position = from?.kind === 'now' ? undefined : saved
  if (after === undefined) return Math.min(position ?? last, last)
  if (after >= 0) return after
  const first = found[0]
  return first === undefined ? last : first.sequence - 1
}

/**
 * Gets the account's signing secret for forwarded webhooks. While the relay is unavailable, the
 * previous secret still signs.
 */
async function updateSecret(
  { client, end }: ListenContext,
  delivery: LocalDelivery,
): Promise<void> {
  try {
    delivery.secret = await client.subscriptions.getSigningSecret({ signal: end.signal })
  } catch (error) {
    if (delivery.secret === '' || !isTransient(error)) throw error
  }
}

async function handleEvent(
  { client, settings, end, clock, onEvent }: ListenContext,
  to: Destination | undefined,
  event: EventFields,
  previous: number,
): Promise<void> {
  const { signal } = end
  const fetched = settings.fetches
    ? { fetched: await fetchObject(client, event, signal, clock.sleep) }
    : {}
  if (signal.aborted) return
  onEvent({ type: 'event', ...event, ...fetched })
  if (to !== undefined) {
    const succeeded = await to.delivery.deliver(event, previous, signal)
    if (succeeded === undefined) return
    if (!succeeded && settings.expected !== undefined) return end.end('unexpected')
    if (succeeded) to.position.acknowledge(event.sequence)
    else to.position.markFailed(event.sequence)
  }
  end.countEvent(event.event)
}

async function deliverFailed(
  { client, settings, end, onEvent }: ListenContext,
  { delivery, position }: Destination,
  failed: readonly number[],
): Promise<void> {
  const { signal } = end
  for (const sequence of failed) {
    if (signal.aborted) return
    const page = await client.events.list({ after: sequence - 1, count: 1 }, { signal })
    const event = page.events.find(each => each.sequence === sequence)
    if (event === undefined) {
      position.removeFailed(sequence)
      continue
    }
    onEvent({ type: 'event', ...event })
    const succeeded = await delivery.deliver(event, sequence - 1, signal)
    if (succeeded === true) position.removeFailed(sequence)
    if (succeeded === true) end.countEvent(event.event)
    else if (succeeded === false && settings.expected !== undefined) end.end('unexpected')
  }
}
