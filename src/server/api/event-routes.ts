import { ServerResponse } from 'node:http'
import type { EventPageReply } from '../../contract/event-reply.js'
import { eventQuery, lastEventId } from '../../contract/event-schema.js'
import { parse } from '../../contract/schema/parse.js'
import type { ConnectionLimits } from '../../domain/limits.js'
import type { RequestFacts } from '../../net/server/routed-request.js'
import { needFullScope } from '../http/authenticate.js'
import type { Exchange, Handler } from '../http/exchange.js'
import type { Routes } from '../http/route.js'
import { type Pieces, sendEvents } from '../http/server-sent-events.js'
import type { EventPlace, EventService } from '../services/webhooks/event-service.js'
import { eventFieldsOf } from './resource-json.js'

/** The account's own events, in pages and as server-sent events (README: the event stream). */
export function eventRoutes(events: EventService, limits: ConnectionLimits): Routes {
  return { '/event': { GET: eventHandler(events, limits) } }
}

function eventHandler(events: EventService, limits: ConnectionLimits): Handler {
  return async exchange => {
    const { caller, request, response } = exchange
    needFullScope(caller)
    const { count, after, events: names } = parse(eventQuery, request.query)
    response.setHeader('Vary', 'Accept')
    if (!wantsStream(request)) return await page(events, exchange, { after, names }, count)
    if (!(response instanceof ServerResponse)) return undefined
    const place = { after: placeOf(request) ?? after, names }
    const { heartbeat, replyTimeout: patience } = limits
    const pieces: Pieces = signal => events.follow(caller, place, { heartbeat, signal })
    await sendEvents(request, response, pieces, { patience, stopping: events.stopping })
    return undefined
  }
}

async function page(
  events: EventService,
  { caller }: Exchange,
  place: EventPlace,
  count: number,
): Promise<string> {
  const found = await events.page(caller.account, place, count)
  const isGap = place.after >= 0 && found.removed > place.after
  const reply: EventPageReply = {
    events: found.events.map(each => ({ event: eventFieldsOf(each) })),
    last: found.last,
    ...(isGap ? { missing: true } : {}),
  }
  return JSON.stringify(reply)
}

/** Only for who asks for it by name, and for JSON not more: `*` is a page (RFC 9110 section 12.5.1). */
function wantsStream({ headers: { accept = '' } }: RequestFacts): boolean {
  const stream = qualityOf('text/event-stream', accept)
  return stream > 0 && stream >= qualityOf('application/json', accept)
}

function qualityOf(type: string, accept: string): number {
  const ranges = accept
    .split(',')
    .map(range => range.split(';').map(part => part.trim().toLowerCase()))
  const found = ranges.find(([name]) => name === type)
  if (found === undefined) return 0
  const quality = found.find(part => part.startsWith('q='))
  return quality === undefined ? 1 : Number(quality.slice(2)) || 0
}

function placeOf({ headers }: RequestFacts): number | undefined {
  const id = headers['last-event-id']
  return id === undefined || id === ''
    ? undefined
    : parse(lastEventId, { 'Last-Event-ID': id })['Last-Event-ID']
}
