import type { ServerContext } from '../../http/server-context.js'
import { sendEvents } from '../../http/server-sent-events.js'
import type { Pages } from '../page/page.js'

/** The account's events from now on, as server-sent events: what has live parts of pages load again. */
export function createLiveEventPages({
  events,
  limits,
}: Pick<ServerContext, 'events' | 'limits'>): Pages {
  return {
    '/live': {
      GET: async ({ request, response, caller, account }) => {
        const { lastSeq: last } = await events.readPage(account, { after: -1 }, 1)
        const { heartbeat, replyTimeout: patience } = limits
        await sendEvents(
          request,
          response,
          signal => events.follow(caller, { after: last }, { heartbeat, signal }),
          { patience, stopping: events.stopping },
        )
        return undefined
      },
    },
  }
}
