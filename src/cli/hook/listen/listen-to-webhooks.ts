import { once } from 'node:events'
import { objectFields, objectId } from '../../../contract/event-object.js'
import { type RawHit, startReceiver } from '../webhook-receiver.js'
import { passedOn } from './forwarded-request.js'
import type { ListenEnd } from './listen-end.js'
import type { ShownAttempt } from './listen-events.js'
import type { Expected } from './listen-values.js'
import type { Forwarded, Forwarder } from './local-sender.js'
import { type EventHit, HookSession, type SessionOptions } from './temporary-subscriptions.js'

/** What to listen to, until when, and whom to tell. */
export interface ListeningOptions extends Omit<SessionOptions, 'url'> {
  readonly host: string
  readonly port: number
  /** Address at which the relay reaches the receiver. @default the receiver's own */
  readonly publicUrl?: string | undefined
  readonly end: ListenEnd
  /** Where hits are passed on to; without it they are answered with `respond`. */
  readonly forward?: PortForward | undefined
  /** Status of the answers. */
  readonly respond: number
  /** Told once the relay's hits can arrive. */
  readonly onReady: (url: string) => void
  /** Told of each hit, never before `onReady`. */
  readonly onHit: (hit: EventHit) => void | Promise<void>
}

/** How received hits are passed on. */
export interface PortForward {
  readonly forwarder: Forwarder
  readonly target: string
  /** Undefined: a hit that is not answered with 2xx comes again, and is no end. */
  readonly expected?: Expected | undefined
  readonly showsReply: boolean
  readonly tell: (attempt: ShownAttempt, hit: RawHit, reply: string) => void
}

/** Identifiers of subscriptions that could not be removed. */
export type Left = readonly string[]

/** Receives hits by temporary subscriptions, which are gone at the end, whatever the end. */
export async function listenForHits(options: ListeningOptions): Promise<Left> {
  const { end } = options
  const begun = new AbortController()
  let session: HookSession | undefined
  const receiver = await startReceiver({
    host: options.host,
    port: options.port,
    onHit: async hit => {
      await aborted(begun.signal)
      const read = session?.read(hit)
      const known = read !== undefined && !end.signal.aborted
      return { status: known ? await take(options, hit, read) : 404 }
    },
  })
  const url = options.publicUrl ?? receiver.url
  session = new HookSession({ ...options, url })
  let left: Left = []
  try {
    await session.begin(end.signal)
    options.onReady(url)
    begun.abort()
    await aborted(end.signal)
  } catch (error) {
    if (!end.signal.aborted) throw error
  } finally {
    begun.abort()
    await receiver.close()
    left = await session.end()
  }
  return left
}

/** Deals with a hit; resolves to the status of its answer. */
async function take(options: ListeningOptions, hit: RawHit, read: EventHit): Promise<number> {
  const { end, forward, respond } = options
  const { onHit } = options
  await onHit(read)
  if (forward === undefined) {
    end.done(read.event)
    return respond
  }
  const sent = await forward.forwarder.send(passedOn(hit, forward.target), end.signal)
  const { expected } = forward
  const ok = expected?.fits(sent.status) ?? isSuccess(sent.status)
  if (sent.status !== null || !end.signal.aborted)
    forward.tell(...shown(forward, hit, read, sent, ok))
  if (ok) end.done(read.event)
  else if (expected !== undefined) end.end('unexpected')
  return sent.status ?? 502
}

function shown(
  { target, showsReply }: PortForward,
  hit: RawHit,
  { event, message, received }: EventHit,
  { status, ms, error, reply }: Forwarded,
  ok: boolean,
): [ShownAttempt, RawHit, string] {
  const sequence = Number(hit.headers['webhook-sequence'])
  const text = reply.toString('utf8')
  const attempt: ShownAttempt = {
    type: 'attempt',
    ...(Number.isSafeInteger(sequence) ? { sequence } : {}),
    ...{
      event,
      ...objectFields(event, objectId({ message, received })),
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

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
