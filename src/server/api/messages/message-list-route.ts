import type * as z from 'zod/mini'
import { listFilter } from '../../../contract/message-schema.js'
import { parseDateTime } from '../../../domain/time/date-time.js'
import { parseFilter } from '../../http/request-query.js'
import type { RouteHandler } from '../../http/route.js'
import { requireCanonicalNumber } from '../../services/messages/canonical-number.js'
import { type MessageSearch, searchMessages } from '../../services/messages/message-search.js'
import type { MessageService } from '../../services/messages/message-service.js'
import type { MessageJsonCache } from './message-json-cache.js'

type ListFilter = z.infer<typeof listFilter>

/**
 * Lists messages. With members of the filter that are an extension, the API examines a limited
 * number of messages, and the reply has a link to the next page.
 */
export function createListHandler(messages: MessageService, cache: MessageJsonCache): RouteHandler {
  return async ({ caller: { account }, request, base }) => {
    const filter = parseFilter(listFilter, request)
    const { since, until, to, phone, source, reason } = filter
    if ((since ?? until ?? to ?? phone ?? source ?? reason) === undefined) {
      return cache.getList(await messages.list(account, filter), base)
    }
    const number =
      to === undefined ? undefined : requireCanonicalNumber(to, account.country, '`to`')
    const found = await searchMessages(messages, account, toSearch(filter, number))
    const list = cache.getList(found.messages, base)
    if (found.next === undefined) return list
    return addNextLink(list, `${base}${request.path}`, { ...filter, start: found.next })
  }
}

function toSearch(
  { filter, start, count, order, since, until, phone, source, reason }: ListFilter,
  number: string | undefined,
): MessageSearch {
  return {
    ...{ filter, start, count, order, number, phone, source },
    since: since === undefined ? undefined : parseDateTime(since),
    until: until === undefined ? undefined : parseDateTime(until),
    reason: reason?.toLowerCase(),
  }
}

function addNextLink(list: Buffer, address: string, filter: ListFilter): string {
  const query = new URLSearchParams({ filter: JSON.stringify(filter) })
  const links = { next: { method: 'GET', url: `${address}?${query}` } }
  return `${list.toString().slice(0, -1)},"links":${JSON.stringify(links)}}`
}
