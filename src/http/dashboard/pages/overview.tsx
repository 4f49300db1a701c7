import type { AppParts } from '../../app.js'
import { Fragment, h } from '../html.js'
import { type Pages, page } from '../visit.js'

/** The first page. */
export function overviewPages(_parts: AppParts): Pages {
  return {
    '/': {
      GET: async ({ account }) =>
        page({
          title: 'Overview',
          current: '/',
          body: (
            <>
              <p>{`Signed in as ${account.email}.`}</p>
              <p>
                <a href="/send">Send a message</a> or <a href="/messages">look at the messages</a>.
              </p>
            </>
          ),
        }),
    },
  }
}
