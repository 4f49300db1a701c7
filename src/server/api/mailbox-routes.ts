import { mailboxCreate } from '../../contract/mailbox-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import { requireFullScope } from '../http/authenticate.js'
import { getParam, type RouteHandler, setNoStore } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import type { MailboxService } from '../services/messages/mailbox-service.js'
import { toMailboxReply } from './present-mailbox.js'

/** The e-mail addresses of the account (extension). */
export function createMailboxRoutes(mailboxes: MailboxService): Routes {
  return {
    '/mailbox': {
      GET: async ({ caller, base }) => {
        requireFullScope(caller)
        const own = await mailboxes.list(caller.account)
        const shown = own.map(each => toMailboxReply({ mailbox: each }, mailboxes.settings, base))
        return JSON.stringify({ mailboxes: shown })
      },
      POST: createCreateHandler(mailboxes),
    },
    '/mailbox/:id': {
      DELETE: async ({ caller, request }) => {
        requireFullScope(caller)
        const id = getParam(request, 'id')
        await mailboxes.remove(caller.account, id)
        return JSON.stringify({ mailbox: { id } })
      },
    },
  }
}

function createCreateHandler(mailboxes: MailboxService): RouteHandler {
  return async ({ caller, request, response, base }) => {
    requireFullScope(caller)
    const fields = parseInput(mailboxCreate, await readFields(request))
    const { hourly_limit: hourly, max_length: length, ...draft } = fields
    const created = await mailboxes.create(caller.account, { ...draft, hourly, length })
    setNoStore(response)
    return JSON.stringify(toMailboxReply(created, mailboxes.settings, base))
  }
}
