import {
  type PhoneListReply,
  type PhoneReply,
  phoneHeaders,
  type QueueReply,
} from '../../contract/phone-schema.js'
import { formatDateTime, parseDateTime } from '../../domain/time/date-time.js'
import type { RequestFacts } from '../../net/server/routed-request.js'
import { needFullScope } from '../http/authenticate.js'
import { type Handler, param } from '../http/exchange.js'
import type { Routes } from '../http/route.js'
import type { MessageService } from '../services/messages/message-service.js'
import type {
  PhoneIntroduction,
  PhoneService,
  PhoneView,
  ReportKind,
} from '../services/phones/phone-service.js'

/** The account's phones, and how much waits for them (README: phones). */
export function phoneRoutes(phones: PhoneService, messages: MessageService): Routes {
  return {
    '/phone': {
      GET: async ({ caller }) => {
        needFullScope(caller)
        const all = phones.list(caller.account).map(toReply)
        return JSON.stringify({ phones: all } satisfies PhoneListReply)
      },
    },
    '/phone/:name': {
      DELETE: async ({ caller, request }) => {
        needFullScope(caller)
        const phone = await phones.forget(caller.account, param(request, 'name'))
        return JSON.stringify(toReply(phone))
      },
    },
    '/message/queue': { GET: beingThere(phones, queueHandler(messages)) },
  }
}

/** A NEXT that counts as a phone's sign of life for as long as it takes. */
export function asking(phones: PhoneService, next: Handler): Handler {
  return async exchange => {
    const answered = phones.asks(exchange.caller, introductionOf(exchange.request))
    try {
      return await next(exchange)
    } finally {
      answered()
    }
  }
}

/** A request by which a phone that does not ask may say that it is there. */
function beingThere(phones: PhoneService, look: Handler): Handler {
  return async exchange => {
    const { caller, request } = exchange
    const until = textOf(request.headers[phoneHeaders.quietUntil])
    const quietUntil = until === undefined ? undefined : parseDateTime(until)
    phones.isThere(caller, { ...introductionOf(request), quietUntil })
    return await look(exchange)
  }
}

/** A report that counts for the phone it is from, when it was taken. */
export function reporting(phones: PhoneService, kind: ReportKind, report: Handler): Handler {
  return async exchange => {
    const reply = await report(exchange)
    phones.reported(exchange.caller, introductionOf(exchange.request), kind)
    return reply
  }
}

function queueHandler(messages: MessageService): Handler {
  return async ({ caller }) => {
    const { at, waiting, due, leased, oldestDueAt } = await messages.queue(caller.account)
    const queue = {
      ...{ waiting, due, leased, oldest_due_on: onOrNull(oldestDueAt) },
      counted_on: formatDateTime(at),
    }
    return JSON.stringify({ queue } satisfies QueueReply)
  }
}

function introductionOf({ headers }: RequestFacts): PhoneIntroduction {
  return { name: textOf(headers[phoneHeaders.name]), driver: textOf(headers[phoneHeaders.driver]) }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

function toReply(phone: PhoneView): PhoneReply {
  const { name, driver, silent } = phone
  return {
    phone: {
      ...{ name, driver, silent },
      first_next_on: onOrNull(phone.firstNextAt),
      last_next_on: onOrNull(phone.lastNextAt),
      last_seen_on: formatDateTime(phone.lastSeenAt),
      quiet_until: onOrNull(phone.quietUntil),
      last_quiet_on: onOrNull(phone.lastQuietAt),
      last_success_on: onOrNull(phone.lastSuccessAt),
      last_failure_on: onOrNull(phone.lastFailureAt),
    },
  }
}

function onOrNull(at: number | undefined): string | null {
  return at === undefined ? null : formatDateTime(at)
}
