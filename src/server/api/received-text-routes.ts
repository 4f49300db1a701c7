import { formatListPage } from '../../contract/api/list-page.js'
import {
  type ReceivedTextReply,
  receivedTextQuery,
  receivedTextReport,
} from '../../contract/received-text-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import type { ReceivedText } from '../../domain/phone/received-text.js'
import { formatDateTime, parseDateTime } from '../../domain/time/date-time.js'
import { readFields } from '../http/request-body.js'
import { getIdempotencyKey } from '../http/request-headers.js'
import { parseQuery } from '../http/request-query.js'
import { getParam, type RouteHandlers } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'

export function createReceivedTextHandlers({
  receivedTexts,
}: ServerContext): RouteHandlers<'listReceivedTexts' | 'reportReceivedText' | 'getReceivedText'> {
  return {
    listReceivedTexts: async context => {
      const { caller, request, base } = context
      const { count, before, kind } = parseQuery(receivedTextQuery, request)
      return formatListPage(context, {
        name: 'received',
        items: await receivedTexts.list(caller.account, count + 1, before, kind),
        count,
        toReply: each => toReceivedTextReply(each, base),
        getNextQuery: ({ id }) => ({ before: id, ...(kind === 'all' ? { kind } : {}) }),
      })
    },
    reportReceivedText: async ({ caller, request, base }) => {
      const key = getIdempotencyKey(request)
      const report = parseInput(receivedTextReport, await readFields(request))
      const { from, message: text, received_on: on, ...rest } = report
      const receivedAt = on === undefined ? undefined : parseDateTime(on)
      const draft = { from, text, receivedAt, ...rest }
      const isFromPhone = caller.kind === 'app'
      const accepted = await receivedTexts.accept(caller.account, draft, key, isFromPhone)
      return JSON.stringify(toReceivedTextReply(accepted, base))
    },
    getReceivedText: async ({ caller, request, base }) => {
      const found = await receivedTexts.get(caller.account, getParam(request, 'id'))
      return JSON.stringify(toReceivedTextReply(found, base))
    },
  }
}

function toReceivedTextReply(received: ReceivedText, base: string): ReceivedTextReply {
  const all = `${base}/api/1/message/received`
  return {
    received: {
      id: received.id,
      from: received.from,
      number: received.number ?? null,
      message: received.text,
      received_on: formatDateTime(received.receivedAt),
      phone: received.phone ?? null,
      word: received.word ?? null,
      kind: received.kind ?? 'text',
      ...(received.to === undefined ? {} : { to: received.to }),
      ...(received.driver === undefined ? {} : { driver: received.driver }),
      ...(received.line === undefined ? {} : { line: received.line }),
      ...(received.subject === undefined ? {} : { subject: received.subject }),
      ...(received.size === undefined ? {} : { size: received.size }),
      ...(received.media === undefined ? {} : { media: [...received.media] }),
      ...(received.reply === undefined ? {} : { reply: { id: received.reply } }),
    },
    links: {
      list: { method: 'GET', url: all },
      new: { method: 'POST', url: all },
      get: { method: 'GET', url: `${all}/${received.id}` },
    },
  }
}
