import { type EventFields, eventPageReply } from '../contract/event-schema.js'
import type { CallOptions } from './call-options.js'
import {
  type FollowOptions,
  followStream,
  type StreamNotice,
} from './event-stream/event-stream-reader.js'
import type { Transport } from './transport.js'

/** Which events the client asks for. */
export interface EventSelection {
  /**
   * The client asks for the events after this sequence; -N: the last N, at most 1,000. @default 0
   */
  readonly after?: number | undefined
  /** Names of the events that the client asks for. @default all but receipts and sign-ins */
  readonly events?: readonly string[] | undefined
}

/** A page of events that the client got. */
export interface EventPage {
  readonly events: readonly EventFields[]
  /** Sequence of the relay's newest event of any name, as the client got it; 0 without events. */
  readonly last: number
  /** Whether the relay deleted events after the sequence that the client requested. */
  readonly missing: boolean
}

/** What {@link EventClient.follow} asks for; without `after`, only new events. */
export type FollowEventsOptions = Omit<FollowOptions, 'after'> & EventSelection

/** The events of the account, in pages or as a stream (extension). */
export class EventClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** GET /event: a page of the events in order; `count` is 1 to 100. */
  async list(
    { after, events, count = 50 }: EventSelection & { readonly count?: number } = {},
    options: CallOptions = {},
  ): Promise<EventPage> {
    const query = {
      ...(after === undefined ? {} : { after: String(after) }),
      count: String(count),
      ...toNamesQuery(events),
    }
    const call = { query, ...options }
    const page = await this.#transport.call('GET', '/event', eventPageReply, call)
    const { last, missing = false } = page
    return { events: page.events.map(each => each.event), last, missing }
  }

  /**
   * GET /event as server-sent events: yields each event as it is recorded, and reconnects when the
   * connection is lost or the relay restarts. Ends with the signal. Throws if the relay is
   * unreachable at the start or rejects the request.
   */
  async *follow(options: FollowEventsOptions = {}): AsyncGenerator<StreamNotice, void> {
    const { after: from, events, ...rest } = options
    const after = from === undefined || from < 0 ? await this.#resolveStart(options) : from
    const open = async (start: number, signal: AbortSignal): Promise<Response> =>
      await this.#transport.stream('/event', {
        query: { after: String(start), ...toNamesQuery(events) },
        headers: { accept: 'text/event-stream' },
        signal,
      })
    yield* followStream(open, { ...rest, after })
  }

  /**
   * Asks the relay for the sequence at which to follow, which stays the same while new events are
   * recorded.
   */
  async #resolveStart({ after = 0, events, signal }: FollowEventsOptions): Promise<number> {
    const page = await this.list({ after, events, count: 1 }, { signal })
    const first = after < 0 ? page.events[0] : undefined
    return first === undefined ? page.last : first.sequence - 1
  }
}

function toNamesQuery(events: readonly string[] | undefined): { events?: string } {
  return events === undefined ? {} : { events: events.join(',') }
}
