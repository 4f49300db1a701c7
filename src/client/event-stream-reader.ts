import { type EventFields, eventFields, missingFields } from '../contract/event-schema.js'
import { parseReply } from '../contract/schema/parse.js'
import { type ErrorCode, errorText, isRelayError, RelayError } from '../errors.js'
import { type BackoffLimits, getBackoff } from '../util/async/backoff.js'
import { type Pause, pause as realPause } from '../util/async/clock.js'
import { EventStreamParser, type StreamMessage } from './event-stream-parser.js'

/** What a followed stream tells. */
export type StreamNotice =
  /** The stream stands: what is recorded from now on arrives. */
  | { readonly type: 'open' }
  | { readonly type: 'event'; readonly event: EventFields }
  /** Events after this place are no longer kept. */
  | { readonly type: 'missing'; readonly after: number }
  /** The line is lost; it is tried again in `wait` milliseconds, from the last event on. */
  | {
      readonly type: 'reconnecting'
      readonly error: RelayError
      /** Counted from 1 since the stream last stood. */
      readonly attempt: number
      readonly wait: number
    }

/** Opens the stream behind an event. Throws RelayError. */
export type OpenStream = (after: number, signal: AbortSignal) => Promise<Response>

/** How a stream is followed. */
export interface FollowOptions {
  /** Number of the event to go on behind. */
  readonly after: number
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds without a byte after which the line is taken for dead; the relay sends some every 15 s. @default 45000 */
  readonly silenceTimeout?: number
  /** Waits between attempts; the relay may ask for a longer first one. @default 1 s to 30 s */
  readonly waits?: BackoffLimits
  readonly pause?: Pause
  /** 0 to 1. @default Math.random */
  readonly random?: () => number
}

const defaultWaits: BackoffLimits = { first: 1000, max: 30_000 }

/** Errors that pass; an answer that is not of the interface may be that of a proxy without its relay. */
const transientCodes: readonly ErrorCode[] = [
  ...(['unreachable', 'unavailable', 'timed_out', 'too_many_requests'] as const),
  ...(['internal_error', 'invalid_reply'] as const),
]

/**
 * Follows a stream over lost lines and restarts of the relay, without missing or repeating an event; ends with the
 * signal. What the consumer takes long for is not taken for a dead line. Throws RelayError for what does not pass.
 */
export async function* followStream(
  open: OpenStream,
  options: FollowOptions,
): AsyncGenerator<StreamNotice, void> {
  const { signal, waits = defaultWaits, pause = realPause, random = Math.random } = options
  const place = { after: options.after, retry: waits.first }
  const isOver = (): boolean => signal?.aborted === true
  let attempt = 0
  while (!isOver()) {
    let error: RelayError
    try {
      for await (const notice of readConnection(open, place, options)) {
        attempt = 0
        yield notice
      }
      error = new RelayError('unavailable', 'The relay ended the event stream.')
    } catch (cause) {
      if (isOver()) return
      error = toTransientError(cause)
    }
    const limits = { first: place.retry, max: Math.max(waits.max, place.retry) }
    attempt += 1
    const wait = Math.max(getBackoff(attempt, random(), limits), (error.retryAfter ?? 0) * 1000)
    yield { type: 'reconnecting', error, attempt, wait }
    await pause(wait, signal)
  }
}

/** What one connection tells, to its end. */
async function* readConnection(
  open: OpenStream,
  place: { after: number; retry: number },
  { signal, silenceTimeout: silence = 45_000 }: FollowOptions,
): AsyncGenerator<StreamNotice> {
  const ending = new AbortController()
  const end = (): void => ending.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  try {
    const response = await withSilenceTimeout(silence, ending, open(place.after, ending.signal))
    const reader = getBodyReader(response)
    const decoder = new TextDecoder()
    const parser = new EventStreamParser()
    yield { type: 'open' }
    for (;;) {
      const { done, value } = await withSilenceTimeout(silence, ending, reader.read())
      if (done) return
      for (const message of parser.push(decoder.decode(value, { stream: true }))) {
        const notice = parseNotice(message)
        if (notice?.type === 'event') place.after = notice.event.sequence
        if (notice !== undefined) yield notice
      }
      place.retry = parser.retry ?? place.retry
    }
  } finally {
    signal?.removeEventListener('abort', end)
    ending.abort()
  }
}

function getBodyReader({ headers, body }: Response): ReadableStreamDefaultReader<Uint8Array> {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream && body !== null) return body.getReader()
  throw new RelayError('invalid_reply', 'The relay has no event stream at this address.')
}

/** Ends the line when nothing comes in time. */
async function withSilenceTimeout<T>(
  milliseconds: number,
  ending: AbortController,
  work: Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => {
    ending.abort(new RelayError('timed_out', 'The relay has fallen silent.'))
  }, milliseconds)
  try {
    return await work
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** Events of names that are not known yet are events, too; of other messages nothing is known. */
function parseNotice({ id, event, data }: StreamMessage): StreamNotice | undefined {
  if (event === 'missing') {
    return { type: 'missing', after: parseReply(missingFields, parseJson(data)).after }
  }
  if (id === '' || !event.includes('.')) return undefined
  return { type: 'event', event: parseReply(eventFields, parseJson(data)) }
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new RelayError('invalid_reply', 'An event of the relay is not JSON.', { cause })
  }
}

/** The error, when it may pass; a line that breaks is none of a known kind. Throws the others. */
function toTransientError(error: unknown): RelayError {
  if (!isRelayError(error)) {
    const reason = errorText(error)
    return new RelayError('unreachable', `The line to the relay broke (${reason}).`, {
      cause: error,
    })
  }
  if (transientCodes.includes(error.code)) return error
  throw error
}
