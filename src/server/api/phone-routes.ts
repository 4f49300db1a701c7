import { buildAfterQuery, formatListPage, skipTo } from '../../contract/api/list-page.js'
import { type PhoneReply, phoneHeaders, type QueueReply } from '../../contract/phone-schema.js'
import { pageQuery } from '../../contract/schema/list-page-schema.js'
import { buildListKey } from '../../domain/list-key.js'
import { formatDateTime, parseDateTime } from '../../domain/time/date-time.js'
import { getPhoneIntroduction, getPhoneNetwork } from '../http/request-headers.js'
import { parseQuery } from '../http/request-query.js'
import { getParam, type RouteHandlers } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import type { PhoneView } from '../services/phones/phone-service.js'

export function createPhoneHandlers({
  phones,
  messages,
}: ServerContext): RouteHandlers<'listPhones' | 'forgetPhone' | 'getQueue'> {
  return {
    listPhones: async context => {
      const { count, after } = parseQuery(pageQuery(), context.request)
      const found = await phones.list(context.caller.account)
      return formatListPage(context, {
        name: 'phones',
        items: skipTo(found, after, ({ name }) => buildListKey(0, name)),
        count,
        toReply: toPhoneReply,
        getNextQuery: ({ name }) => buildAfterQuery(0, name),
      })
    },
    forgetPhone: async ({ caller, request }) => {
      const phone = await phones.forget(caller.account, getParam(request, 'name'))
      return JSON.stringify(toPhoneReply(phone))
    },
    getQueue: async ({ caller, request }) => {
      const until = request.headers[phoneHeaders.quietUntil]
      const quietUntil = typeof until === 'string' ? parseDateTime(until) : undefined
      const presence = { ...getPhoneIntroduction(request), quietUntil }
      if (request.method !== 'HEAD') {
        phones.recordPresence(caller, { ...presence, network: getPhoneNetwork(request) })
      }
      const depth = await messages.getQueueDepth(caller.account)
      const reply: QueueReply = {
        queue: {
          waiting: depth.waiting,
          due: depth.due,
          leased: depth.leased,
          oldest_due_on: formatOptionalDateTime(depth.oldestDueAt),
          counted_on: formatDateTime(depth.at),
        },
      }
      return JSON.stringify(reply)
    },
  }
}

function toPhoneReply(phone: PhoneView): PhoneReply {
  return {
    phone: {
      name: phone.name,
      driver: phone.driver,
      silent: phone.silent,
      first_next_on: formatOptionalDateTime(phone.firstNextAt),
      last_next_on: formatOptionalDateTime(phone.lastNextAt),
      last_seen_on: formatDateTime(phone.lastSeenAt),
      quiet_until: formatOptionalDateTime(phone.quietUntil),
      last_quiet_on: formatOptionalDateTime(phone.lastQuietAt),
      last_success_on: formatOptionalDateTime(phone.lastSuccessAt),
      last_failure_on: formatOptionalDateTime(phone.lastFailureAt),
      signal: phone.network?.signal ?? null,
      operator: phone.network?.operator ?? null,
      rate: phone.network?.rate ?? null,
      network_on: formatOptionalDateTime(phone.network?.at),
    },
  }
}

function formatOptionalDateTime(at: number | undefined): string | null {
  return at === undefined ? null : formatDateTime(at)
}
