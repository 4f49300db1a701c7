import type { ServerContext } from '../../http/server-context.js'
import { sendEvents } from '../../http/server-sent-events.js'
import type { Pages } from './page.js'

/** Creates the event stream that tells an open page of the dashboard when to update itself. */
export function createLiveEventPages({
  events,
  limits,
}: Pick<ServerContext, 'events' | 'limits'>): Pages {
  return {
    '/live': {
      GET: async ({ http, response, caller, account }) => {
        const { lastSeq } = await events.readPage(account, { after: -1 }, 1)
        const { heartbeat, replyTimeout: writeTimeout } = limits
        await sendEvents(
          http,
          response,
          signal => events.follow(caller, { after: lastSeq }, { heartbeat, signal }),
          { writeTimeout, stopping: events.stopping },
        )
        return undefined
      },
    },
  }
}
