import { buildAfterQuery, formatListPage } from '../../contract/api/list-page.js'
import { type MailboxReply, mailboxCreate } from '../../contract/mailbox-schema.js'
import { pageQuery } from '../../contract/schema/list-page-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { readFields } from '../http/request-body.js'
import { parseQuery } from '../http/request-query.js'
import { getParam, type RouteHandlers, setNoStore } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import {
  type CreatedMailbox,
  formatMailAddress,
  type MailSettings,
} from '../services/messages/mailbox-service.js'

export function createMailboxHandlers({
  mailboxes,
}: ServerContext): RouteHandlers<'listMailboxes' | 'createMailbox' | 'deleteMailbox'> {
  return {
    listMailboxes: async context => {
      const { caller, request, base } = context
      const { count, after } = parseQuery(pageQuery(), request)
      const items = await mailboxes.getPage(caller.account, { count: count + 1, after })
      const { settings } = mailboxes
      return formatListPage(context, {
        name: 'mailboxes',
        items,
        count,
        toReply: mailbox => toMailboxReply({ mailbox }, settings, base),
        getNextQuery: ({ createdAt, id }) => buildAfterQuery(createdAt, id),
      })
    },
    createMailbox: async ({ caller, request, response, base }) => {
      const fields = parseInput(mailboxCreate, await readFields(request))
      const { hourly_limit: hourly, max_length: length, ...draft } = fields
      const created = await mailboxes.create(caller.account, { ...draft, hourly, length })
      setNoStore(response)
      return JSON.stringify(toMailboxReply(created, mailboxes.settings, base))
    },
    deleteMailbox: async ({ caller, request }) => {
      const id = getParam(request, 'id')
      await mailboxes.remove(caller.account, id)
      return JSON.stringify({ mailbox: { id } })
    },
  }
}

function toMailboxReply(
  created: CreatedMailbox,
  settings: MailSettings,
  base: string,
): MailboxReply {
  const { mailbox, key } = created
  const all = `${base}/api/1/mailbox`
  return {
    mailbox: {
      id: mailbox.id,
      name: mailbox.name,
      address: formatMailAddress(created, settings),
      ...(key === undefined ? {} : { key }),
      alias: mailbox.alias ?? null,
      destinations: [...mailbox.destinations],
      senders: [...mailbox.senders],
      subject: mailbox.subject,
      hourly_limit: mailbox.hourly ?? null,
      max_length: mailbox.length,
      created_on: formatDateTime(mailbox.createdAt),
      receiving: settings.receiving,
    },
    links: {
      list: { method: 'GET', url: all },
      new: { method: 'POST', url: all },
      delete: { method: 'DELETE', url: `${all}/${mailbox.id}` },
    },
  }
}
