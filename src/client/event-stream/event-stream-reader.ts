// The event stream of a relay (docs/reference/extensions.md, "The event stream").
// 1. followStream opens the stream after the last event that the consumer has seen.
// 2. The parser (event-stream-parser) makes messages of the bytes (HTML standard 9.2).
// 3. Each message becomes a notice for the consumer: the stream is open, an event, or a gap.
// 4. When the stream is lost or silent, it is opened again, with longer and longer waits.
import { type EventFields, eventFields, missingFields } from '../../contract/event-schema.js'
import { parseReply } from '../../contract/schema/parse.js'
import { errorText, isRelayError, isTransient, RelayError } from '../../errors.js'
import { type BackoffLimits, getBackoff } from '../../util/async/backoff.js'
import { type Clock, createClock } from '../../util/async/clock.js'
import { EventStreamParser, type StreamMessage } from './event-stream-parser.js'

export type StreamNotice =
  /** The event stream is open; new events will arrive. */
  | { readonly type: 'open' }
  | { readonly type: 'event'; readonly event: EventFields }
  /** The relay has deleted events after this sequence. */
  | { readonly type: 'missing'; readonly after: number }
  /**
   * The client lost the connection of the event stream; its next attempt starts in `wait`
   * milliseconds.
   */
  | {
      readonly type: 'reconnecting'
      readonly error: RelayError
      /** 1 for the client's first attempt to reconnect since the stream was open. */
      readonly attempt: number
      readonly wait: number
    }

/** Opens the relay's event stream after a sequence. Throws RelayError. */
export type OpenStream = (after: number, signal: AbortSignal) => Promise<Response>

export interface FollowOptions {
  /** Sequence of the last event that the client already has. */
  readonly after: number
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds without data until the client reconnects; the relay sends data every 15 s.
   * @default 45000
   */
  readonly silenceTimeout?: number
  /**
   * The client's waits before it reconnects; the relay may ask for a longer first one. @default 1 s
   * to 30 s
   */
  readonly waits?: BackoffLimits
  readonly clock?: Pick<Clock, 'sleep' | 'after'>
  /** From 0 to 1: varies the client's waits before it reconnects. @default Math.random */
  readonly random?: () => number
}

const defaultWaits: BackoffLimits = { first: 1000, max: 30_000 }

interface Position {
  after: number
  retry: number
}

/**
 * Follows the relay's event stream for a client: reconnects without missing or repeating an event,
 * and ends with the signal. The time that the consumer takes does not count as silence. Throws
 * errors that are not transient.
 */
export async function* followStream(
  open: OpenStream,
  options: FollowOptions,
): AsyncGenerator<StreamNotice, void> {
  const { signal, waits = defaultWaits, clock = createClock(), random = Math.random } = options
  const position = { after: options.after, retry: waits.first }
  const isOver = (): boolean => signal?.aborted === true
  let attempt = 0
  while (!isOver()) {
    let error: RelayError
    try {
      for await (const notice of readConnection(open, position, { ...options, clock })) {
        attempt = 0
        yield notice
      }
      error = new RelayError('unavailable', 'The relay ended the event stream.')
    } catch (cause) {
      if (isOver()) return
      error = toTransientError(cause)
    }
    const limits = { first: position.retry, max: Math.max(waits.max, position.retry) }
    attempt += 1
    const wait = Math.max(getBackoff(attempt, random(), limits), (error.retryAfter ?? 0) * 1000)
    yield { type: 'reconnecting', error, attempt, wait }
    await clock.sleep(wait, signal)
  }
}

async function* readConnection(
  open: OpenStream,
  position: Position,
  { signal, silenceTimeout = 45_000, clock }: FollowOptions & { clock: Pick<Clock, 'after'> },
): AsyncGenerator<StreamNotice> {
  const ending = new AbortController()
  const waitFor = async <T>(work: Promise<T>): Promise<T> =>
    await withSilenceTimeout(work, ending, run => clock.after(silenceTimeout, run))
  const end = (): void => ending.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  try {
    const reader = getBodyReader(await waitFor(open(position.after, ending.signal)))
    const decoder = new TextDecoder()
    const parser = new EventStreamParser()
    yield { type: 'open' }
    for (;;) {
      const { done, value } = await waitFor(reader.read())
      if (done) return
      for (const message of parser.push(decoder.decode(value, { stream: true }))) {
        const notice = parseNotice(message)
        if (notice?.type === 'event') position.after = notice.event.sequence
        if (notice !== undefined) yield notice
      }
      position.retry = parser.retry ?? position.retry
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

async function withSilenceTimeout<T>(
  work: Promise<T>,
  ending: AbortController,
  startTimer: (run: () => void) => () => void,
): Promise<T> {
  const cancel = startTimer(() => {
    ending.abort(new RelayError('timed_out', 'The relay sent nothing for too long.'))
  })
  try {
    return await work
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    cancel()
  }
}

/** Parses an event of the stream, also one with an unknown name; ignores other messages. */
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

/** Throws a RelayError that is not transient; after every other error the client connects again. */
function toTransientError(error: unknown): RelayError {
  if (isRelayError(error)) {
    if (isTransient(error)) return error
    throw error
  }
  const sentence = `The connection to the relay was lost (${errorText(error)}).`
  return new RelayError('unreachable', sentence, { cause: error })
}
