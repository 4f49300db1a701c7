import { formatListPage } from '../../contract/api/list-page.js'
import { auditQuery, toAuditFields } from '../../contract/audit/audit-schema.js'
import { parseDateTime } from '../../domain/time/date-time.js'
import { parseQuery } from '../http/request-query.js'
import { getParam, type RouteHandlers } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'

export function createAuditHandlers({
  audit,
}: Pick<ServerContext, 'audit'>): RouteHandlers<'listAudit' | 'getAuditEntry'> {
  return {
    listAudit: async context => {
      const { count, since, until, ...filter } = parseQuery(auditQuery, context.request)
      const items = await audit.getPage(context.caller.account, {
        ...filter,
        since: since === undefined ? undefined : parseDateTime(since),
        until: until === undefined ? undefined : parseDateTime(until),
        count: count + 1,
      })
      return formatListPage(context, {
        name: 'audit',
        items,
        count,
        toReply: entry => ({ entry: toAuditFields(entry) }),
        getNextQuery: ({ id }) => ({ before: id }),
      })
    },
    getAuditEntry: async ({ caller, request }) => {
      const entry = await audit.get(caller.account, getParam(request, 'id'))
      return JSON.stringify({ entry: toAuditFields(entry) })
    },
  }
}
