import {
  type EventPageReply,
  eventQuery,
  lastEventId,
  toEventFields,
} from '../../../contract/event-schema.js'
import { parseInput } from '../../../contract/schema/parse.js'
import { defaultEventNames } from '../../../domain/webhook/event.js'
import type { RequestMetadata } from '../../../net/server/http-request.js'
import { parseQuery } from '../../http/request-query.js'
import type { RequestContext, RouteHandlers } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { type EventBatchSource, sendEvents } from '../../http/server-sent-events.js'
import type { EventPosition, EventService } from '../../services/webhooks/event-service.js'

export function createEventHandlers({
  events: service,
  limits,
}: ServerContext): RouteHandlers<'listEvents'> {
  return {
    listEvents: async context => {
      const { caller, request, response } = context
      const { count, after, events } = parseQuery(eventQuery, request)
      const names = events ?? defaultEventNames
      response.setHeader('Vary', 'Accept')
      if (!isStreamRequested(request)) {
        return await getEventPage(service, context, { after, names }, count)
      }
      const position = { after: parseLastEventId(request) ?? after, names }
      const { heartbeat, replyTimeout: writeTimeout } = limits
      const source: EventBatchSource = signal =>
        service.follow(caller, position, { heartbeat, signal })
      await sendEvents(request, response, source, { writeTimeout, stopping: service.stopping })
      return undefined
    },
  }
}

async function getEventPage(
  events: EventService,
  { caller }: RequestContext,
  position: EventPosition,
  count: number,
): Promise<string> {
  const page = await events.readPage(caller.account, position, count)
  const isMissing = position.after >= 0 && page.lastRemovedSeq > position.after
  const reply: EventPageReply = {
    events: page.events.map(each => ({ event: toEventFields(each) })),
    last: page.lastSeq,
    ...(isMissing ? { missing: true } : {}),
  }
  return JSON.stringify(reply)
}

/**
 * Whether the header Accept of GET /event names the event stream with at least the quality of JSON.
 * A wildcard means a page (RFC 9110 section 12.5.1).
 */
function isStreamRequested({ headers: { accept = '' } }: RequestMetadata): boolean {
  const stream = getQuality('text/event-stream', accept)
  return stream > 0 && stream >= getQuality('application/json', accept)
}

function getQuality(type: string, accept: string): number {
  const ranges = accept
    .split(',')
    .map(range => range.split(';').map(part => part.trim().toLowerCase()))
  const found = ranges.find(([name]) => name === type)
  if (found === undefined) return 0
  const quality = found.find(part => part.startsWith('q='))
  return quality === undefined ? 1 : Number(quality.slice(2)) || 0
}

function parseLastEventId({ headers }: RequestMetadata): number | undefined {
  const id = headers['last-event-id']
  return id === undefined || id === ''
    ? undefined
    : parseInput(lastEventId, { 'Last-Event-ID': id })['Last-Event-ID']
}
