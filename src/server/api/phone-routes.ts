import {
  type PhoneListReply,
  type PhoneReply,
  phoneHeaders,
  type QueueReply,
} from '../../contract/phone-schema.js'
import { formatDateTime, parseDateTime } from '../../domain/time/date-time.js'
import type { RequestMetadata } from '../../net/server/http-request.js'
import { requireFullScope } from '../http/authenticate.js'
import { getParam, type RouteHandler } from '../http/exchange.js'
import type { Routes } from '../http/route.js'
import type { MessageService } from '../services/messages/message-service.js'
import type {
  PhoneIntroduction,
  PhoneService,
  PhoneView,
  ReportKind,
} from '../services/phones/phone-service.js'

/** The account's phones, and how much waits for them (README: phones). */
export function createPhoneRoutes(phones: PhoneService, messages: MessageService): Routes {
  return {
    '/phone': {
      GET: async ({ caller }) => {
        requireFullScope(caller)
        const all = phones.list(caller.account).map(toPhoneReply)
        return JSON.stringify({ phones: all } satisfies PhoneListReply)
      },
    },
    '/phone/:name': {
      DELETE: async ({ caller, request }) => {
        requireFullScope(caller)
        const phone = await phones.forget(caller.account, getParam(request, 'name'))
        return JSON.stringify(toPhoneReply(phone))
      },
    },
    '/message/queue': { GET: trackPresence(phones, createQueueHandler(messages)) },
  }
}

/** A NEXT that counts as a phone's sign of life for as long as it takes. */
export function trackNext(phones: PhoneService, next: RouteHandler): RouteHandler {
  return async exchange => {
    const answered = phones.trackNext(exchange.caller, getPhoneIntroduction(exchange.request))
    try {
      return await next(exchange)
    } finally {
      answered()
    }
  }
}

/** A request by which a phone that does not ask may say that it is there. */
function trackPresence(phones: PhoneService, look: RouteHandler): RouteHandler {
  return async exchange => {
    const { caller, request } = exchange
    const until = getSingleHeader(request.headers[phoneHeaders.quietUntil])
    const quietUntil = until === undefined ? undefined : parseDateTime(until)
    phones.recordPresence(caller, { ...getPhoneIntroduction(request), quietUntil })
    return await look(exchange)
  }
}

/** A report that counts for the phone it is from, when it was taken. */
export function trackReport(
  phones: PhoneService,
  kind: ReportKind,
  report: RouteHandler,
): RouteHandler {
  return async exchange => {
    const reply = await report(exchange)
    phones.recordReport(exchange.caller, getPhoneIntroduction(exchange.request), kind)
    return reply
  }
}

function createQueueHandler(messages: MessageService): RouteHandler {
  return async ({ caller }) => {
    const { at, waiting, due, leased, oldestDueAt } = await messages.getQueueDepth(caller.account)
    const queue = {
      ...{ waiting, due, leased, oldest_due_on: formatOptionalDateTime(oldestDueAt) },
      counted_on: formatDateTime(at),
    }
    return JSON.stringify({ queue } satisfies QueueReply)
  }
}

function getPhoneIntroduction({ headers }: RequestMetadata): PhoneIntroduction {
  return {
    name: getSingleHeader(headers[phoneHeaders.name]),
    driver: getSingleHeader(headers[phoneHeaders.driver]),
  }
}

function getSingleHeader(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

function toPhoneReply(phone: PhoneView): PhoneReply {
  const { name, driver, silent } = phone
  return {
    phone: {
      ...{ name, driver, silent },
      first_next_on: formatOptionalDateTime(phone.firstNextAt),
      last_next_on: formatOptionalDateTime(phone.lastNextAt),
      last_seen_on: formatDateTime(phone.lastSeenAt),
      quiet_until: formatOptionalDateTime(phone.quietUntil),
      last_quiet_on: formatOptionalDateTime(phone.lastQuietAt),
      last_success_on: formatOptionalDateTime(phone.lastSuccessAt),
      last_failure_on: formatOptionalDateTime(phone.lastFailureAt),
    },
  }
}

function formatOptionalDateTime(at: number | undefined): string | null {
  return at === undefined ? null : formatDateTime(at)
}
