import { hashText } from '../../../util/crypto/secrets.js'
import type { ServerContext } from '../../http/server-context.js'
import { sendEvents } from '../../http/server-sent-events.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPartial,
} from './page.js'

export interface LiveSectionProps {
  readonly id: string
  /** Path that answers with {@link showLiveSection}; its query must not contain `seen`. */
  readonly path: string
  readonly children?: Child
}

/**
 * A live section of a page: htmx reloads it after each event of the account, and every 30 seconds.
 */
export function LiveSection({ id, path, children }: LiveSectionProps): Html {
  const seen = JSON.stringify({ seen: hashContent(children) })
  return (
    <div
      id={id}
      data-live="true"
      hx-get={path}
      hx-vals={seen}
      hx-trigger="live from:body, every 30s"
      hx-swap="outerHTML"
    >
      {children}
    </div>
  )
}

/**
 * Sends a live section to htmx unless it is unchanged, so that the page keeps the focus and open
 * menus.
 */
export function showLiveSection(request: PageRequest, props: LiveSectionProps): PageResult {
  if (getQueryField(request, 'seen') === hashContent(props.children)) return { unchanged: true }
  return showPartial(<LiveSection {...props} />)
}

/** Hashes a live section without the keys of its forms, which are new each time. */
function hashContent(children: Child): string {
  const text = String(Fragment({ children }))
  return hashText(text.replaceAll(/ name="key" value="[^"]*"/g, '')).slice(0, 16)
}

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
