import { type EventFields, eventPageReply } from '../contract/event-schema.js'
import { ApiClient, type CallOptions } from './api-client.js'
import { type FollowOptions, followStream, type StreamNotice } from './event-stream-reader.js'

/** Which of the account's events are asked for. */
export interface EventSelection {
  /** Those behind this one; -N: the last N, at most 1,000. @default 0 */
  readonly after?: number | undefined
  /** Names of events. @default all */
  readonly events?: readonly string[] | undefined
}

/** A page of the account's events. */
export interface EventPage {
  readonly events: readonly EventFields[]
  /** Number of the newest event, of whatever name; 0 when there was none. */
  readonly last: number
  /** Whether events behind the asked-for one are no longer kept. */
  readonly missing: boolean
}

/** How {@link EventClient.followEvents} goes on; without `after` from now on. */
export type FollowEventsOptions = Omit<FollowOptions, 'after'> & EventSelection

/** The part of the interface that is about the account's recorded events (extension). */
export class EventClient extends ApiClient {
  /** GET /event: a page of the recorded events of all names, in order; 1 to 100, 50 unless told (extension). */
  async events(
    { after, events, count }: EventSelection & { readonly count?: number } = {},
    options: CallOptions = {},
  ): Promise<EventPage> {
    const query = {
      ...(after === undefined ? {} : { after: String(after) }),
      ...(count === undefined ? {} : { count: String(count) }),
      ...toEventNamesQuery(events),
    }
    const call = { query, ...options }
    const page = await this.transport.call('GET', '/event', eventPageReply, call)
    const { last, missing = false } = page
    return { events: page.events.map(each => each.event), last, missing }
  }

  /**
   * GET /event as server-sent events: what is recorded, as it is recorded, over lost lines and restarts of the relay;
   * ends with the signal. Throws when the relay cannot be reached at first, or refuses (extension).
   */
  async *followEvents(options: FollowEventsOptions = {}): AsyncGenerator<StreamNotice, void> {
    const { after: from, events, ...rest } = options
    const after = from === undefined || from < 0 ? await this.#place(options) : from
    const open = async (behind: number, signal: AbortSignal): Promise<Response> =>
      await this.transport.stream('/event', {
        query: { after: String(behind), ...toEventNamesQuery(events) },
        headers: { accept: 'text/event-stream' },
        signal,
      })
    yield* followStream(open, { ...rest, after })
  }

  /** The place of -N as a number that stays, whatever is recorded meanwhile. */
  async #place({ after = 0, events, signal }: FollowEventsOptions): Promise<number> {
    const page = await this.events({ after, events, count: 1 }, { signal })
    const first = after < 0 ? page.events[0] : undefined
    return first === undefined ? page.last : first.sequence - 1
  }
}

function toEventNamesQuery(events: readonly string[] | undefined): { events?: string } {
  return events === undefined ? {} : { events: events.join(',') }
}
