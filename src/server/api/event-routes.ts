import type { EventPageReply } from '../../contract/event-schema.js'
import { eventQuery, lastEventId, toEventFields } from '../../contract/event-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import type { ConnectionLimits } from '../../net/server/connection-limits.js'
import type { RequestMetadata } from '../../net/server/http-request.js'
import { requireFullScope } from '../http/authenticate.js'
import type { RequestContext, RouteHandler } from '../http/exchange.js'
import type { Routes } from '../http/route.js'
import { type StreamSource, sendEvents } from '../http/server-sent-events.js'
import type { EventPosition, EventService } from '../services/webhooks/event-service.js'

/** The account's own events, in pages and as server-sent events (README: the event stream). */
export function createEventRoutes(events: EventService, limits: ConnectionLimits): Routes {
  return { '/event': { GET: createEventHandler(events, limits) } }
}

function createEventHandler(events: EventService, limits: ConnectionLimits): RouteHandler {
  return async exchange => {
    const { caller, request, response } = exchange
    requireFullScope(caller)
    const { count, after, events: names } = parseInput(eventQuery, request.query)
    response.setHeader('Vary', 'Accept')
    if (!isStreamRequested(request))
      return await getEventPage(events, exchange, { after, names }, count)
    const place = { after: parseLastEventId(request) ?? after, names }
    const { heartbeat, replyTimeout: patience } = limits
    const pieces: StreamSource = signal => events.follow(caller, place, { heartbeat, signal })
    await sendEvents(request, response, pieces, { patience, stopping: events.stopping })
    return undefined
  }
}

async function getEventPage(
  events: EventService,
  { caller }: RequestContext,
  place: EventPosition,
  count: number,
): Promise<string> {
  const found = await events.readPage(caller.account, place, count)
  const isGap = place.after >= 0 && found.lastRemovedSeq > place.after
  const reply: EventPageReply = {
    events: found.events.map(each => ({ event: toEventFields(each) })),
    last: found.lastSeq,
    ...(isGap ? { missing: true } : {}),
  }
  return JSON.stringify(reply)
}

/** Only for who asks for it by name, and for JSON not more: `*` is a page (RFC 9110 section 12.5.1). */
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
