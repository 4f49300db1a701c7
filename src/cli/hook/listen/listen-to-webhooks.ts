import { once } from 'node:events'
import { getObjectId, toObjectFields } from '../../../contract/event-schema.js'
import { type RawWebhook, startWebhookReceiver } from '../webhook-receiver.js'
import { createForwardedRequest } from './forwarded-request.js'
import type { ListenEnd } from './listen-end.js'
import type { AttemptNotice } from './listen-events.js'
import type { ExpectedStatus } from './listen-values.js'
import type { LocalReply, LocalSender } from './local-sender.js'
import {
  type EventWebhook,
  TemporarySubscriptions,
  type TemporarySubscriptionsOptions,
} from './temporary-subscriptions.js'

/** What to listen to, until when, and whom to tell. */
export interface WebhookListenOptions extends Omit<TemporarySubscriptionsOptions, 'url'> {
  readonly host: string
  readonly port: number
  /** Address at which the relay reaches the receiver. @default the receiver's own */
  readonly publicUrl?: string | undefined
  readonly end: ListenEnd
  /** Where hits are passed on to; without it they are answered with `respond`. */
  readonly forward?: ForwardOptions | undefined
  /** Status of the answers. */
  readonly respond: number
  /** Told once the relay's hits can arrive. */
  readonly onReady: (url: string) => void
  /** Told of each hit, never before `onReady`. */
  readonly onWebhook: (hit: EventWebhook) => void | Promise<void>
}

/** How received hits are passed on. */
export interface ForwardOptions {
  readonly forwarder: LocalSender
  readonly target: string
  /** Undefined: a hit that is not answered with 2xx comes again, and is no end. */
  readonly expected?: ExpectedStatus | undefined
  readonly showsReply: boolean
  readonly onAttempt: (attempt: AttemptNotice, hit: RawWebhook, reply: string) => void
}

/** Identifiers of subscriptions that could not be removed. */
export type RemainingSubscriptions = readonly string[]

/** Receives hits by temporary subscriptions, which are gone at the end, whatever the end. */
export async function listenToWebhooks(
  options: WebhookListenOptions,
): Promise<RemainingSubscriptions> {
  const { end } = options
  const begun = new AbortController()
  let session: TemporarySubscriptions | undefined
  const receiver = await startWebhookReceiver({
    host: options.host,
    port: options.port,
    onWebhook: async hit => {
      await waitForAbort(begun.signal)
      const read = session?.parseWebhook(hit)
      const known = read !== undefined && !end.signal.aborted
      return { status: known ? await handleWebhook(options, hit, read) : 404 }
    },
  })
  const url = options.publicUrl ?? receiver.url
  session = new TemporarySubscriptions({ ...options, url })
  let left: RemainingSubscriptions = []
  try {
    await session.create(end.signal)
    options.onReady(url)
    begun.abort()
    await waitForAbort(end.signal)
  } catch (error) {
    if (!end.signal.aborted) throw error
  } finally {
    begun.abort()
    await receiver.close()
    left = await session.remove()
  }
  return left
}

/** Deals with a hit; resolves to the status of its answer. */
async function handleWebhook(
  options: WebhookListenOptions,
  hit: RawWebhook,
  read: EventWebhook,
): Promise<number> {
  const { end, forward, respond } = options
  const { onWebhook: onHit } = options
  await onHit(read)
  if (forward === undefined) {
    end.countEvent(read.event)
    return respond
  }
  const sent = await forward.forwarder.send(createForwardedRequest(hit, forward.target), end.signal)
  const { expected } = forward
  const ok = expected?.matches(sent.status) ?? isSuccess(sent.status)
  if (sent.status !== null || !end.signal.aborted)
    forward.onAttempt(...toAttemptNotice(forward, hit, read, sent, ok))
  if (ok) end.countEvent(read.event)
  else if (expected !== undefined) end.end('unexpected')
  return sent.status ?? 502
}

function toAttemptNotice(
  { target, showsReply }: ForwardOptions,
  hit: RawWebhook,
  { event, message, received }: EventWebhook,
  { status, ms, error, reply }: LocalReply,
  ok: boolean,
): [AttemptNotice, RawWebhook, string] {
  const sequence = Number(hit.headers['webhook-sequence'])
  const text = reply.toString('utf8')
  const attempt: AttemptNotice = {
    type: 'attempt',
    ...(Number.isSafeInteger(sequence) ? { sequence } : {}),
    ...{
      event,
      ...toObjectFields(event, getObjectId({ message, received })),
      attempt: 1,
      method: hit.method,
      url: target,
    },
    ...{ status, ms, ok, error, retry_in: null },
    ...(showsReply ? { reply: text } : {}),
  }
  return [attempt, hit, text]
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
