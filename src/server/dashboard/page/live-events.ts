import type { ServerContext } from '../../http/server-context.js'
import { sendChangeNotices } from '../../http/server-sent-events.js'
import { getQueryField, type Pages } from './page.js'

/**
 * Creates the stream that tells an open page of the dashboard when to update itself: after each
 * change of the account, also one that is no event, such as an edit. Its parameter `since` has the
 * mark of the page, so that no change between the page and the stream is missed. The stream ends
 * while the store cannot be reached, so that the page says so.
 */
export function createLiveEventPages({
  events,
  limits,
}: Pick<ServerContext, 'events' | 'limits'>): Pages {
  return {
    '/live': {
      GET: async ({ http, response, caller }) => {
        events.assertReachable()
        const mark = getQueryField({ http }, 'since')
        const { heartbeat, replyTimeout: writeTimeout } = limits
        await sendChangeNotices(
          http,
          response,
          signal => events.followChanges(caller, mark, { heartbeat, signal }),
          { writeTimeout, stopping: events.stopping },
        )
        return undefined
      },
    },
  }
}
