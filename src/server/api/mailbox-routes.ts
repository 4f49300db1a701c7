import { mailboxCreate } from '../../contract/mailbox-schema.js'
import { parse } from '../../contract/schema/parse.js'
import { needFullScope } from '../http/authenticate.js'
import { type Handler, keepSecret, param } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import type { MailboxService } from '../services/messages/mailbox-service.js'
import { mailboxEnvelope } from './present-mailbox.js'

/** The e-mail addresses of the account (extension). */
export function mailboxRoutes(mailboxes: MailboxService): Routes {
  return {
    '/mailbox': {
      GET: async ({ caller, base }) => {
        needFullScope(caller)
        const own = await mailboxes.list(caller.account)
        const shown = own.map(each => mailboxEnvelope({ mailbox: each }, mailboxes.setting, base))
        return JSON.stringify({ mailboxes: shown })
      },
      POST: createHandler(mailboxes),
    },
    '/mailbox/:id': {
      DELETE: async ({ caller, request }) => {
        needFullScope(caller)
        const id = param(request, 'id')
        await mailboxes.remove(caller.account, id)
        return JSON.stringify({ mailbox: { id } })
      },
    },
  }
}

function createHandler(mailboxes: MailboxService): Handler {
  return async ({ caller, request, response, base }) => {
    needFullScope(caller)
    const fields = parse(mailboxCreate, await readFields(request))
    const { hourly_limit: hourly, max_length: length, ...draft } = fields
    const created = await mailboxes.create(caller.account, { ...draft, hourly, length })
    keepSecret(response)
    return JSON.stringify(mailboxEnvelope(created, mailboxes.setting, base))
  }
}
