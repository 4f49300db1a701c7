import { type Attempt, listAttempts } from '../../../domain/message/attempts.js'
import { type DeliveryStatus, getDeliveryStatus } from '../../../domain/message/delivery-status.js'
import { isWaiting, type Message } from '../../../domain/message/message.js'
import { findNumberWarning, getDialledNumber } from '../../../domain/sms/phone-number.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { memoize } from '../../../util/collections/memoize.js'
import { createEntityTag } from '../../http/request-headers.js'
import type { LeaseView } from '../../services/phones/find-lease.js'

/**
 * Formats a message with its links (docs/reference/interface.md 2.1 and 2.2). Joining texts is
 * faster than JSON.stringify, and most replies are messages.
 */
export function formatMessageJson(message: Message, base: string): string {
  return `{"message":${formatMessageFields(message)},"links":${formatMessageLinks(message, base)}}`
}

export function formatExtendedMessageJson(
  message: Message,
  base: string,
  lease?: LeaseView,
): string {
  const fields = formatMessageFields(message).slice(0, -1)
  const attempts = listAttempts(message).map(formatAttempt)
  const links = formatMessageLinks(message, base)
  const rest = `"attempts":[${attempts}]${formatWarnings(message)}${formatLease(lease)}`
  return `{"message":${fields},${rest}},"links":${links}}`
}

export function formatMessageIdJson(id: string, links?: string): string {
  const rest = links === undefined ? '' : `,"links":${links}`
  return `{"message":{"id":${quoteJson(id)}}${rest}}`
}

/** The entity tag of a message: it changes with each field of a reply (RFC 9110 section 8.8.3). */
export function getMessageTag(message: Message): string {
  return createEntityTag(formatMessageFields(message))
}

export function formatMessageFields(message: Message): string {
  return (
    `{"id":${quoteJson(message.id)},"destination":${quoteJson(message.destination)}` +
    formatDialledNumber(message) +
    `,"message":${quoteJson(message.text)},"created_on":"${formatDateTime(message.createdAt)}"` +
    `,"send_on":"${formatDateTime(message.sendAt)}","status":"${message.status}"` +
    `,"status_date":"${formatDateTime(message.statusAt)}","source":"${message.source}"` +
    `,"failure_count":${message.failures}${message.flash ? ',"flash":true' : ''}` +
    `${formatReportedFields(message)}}`
  )
}

function formatDialledNumber(message: Message): string {
  if (message.destination === message.number) return ''
  const dialled = getDialledNumber(message.destination, message.number)
  return dialled === message.destination ? '' : `,"number":${quoteJson(dialled)}`
}

function formatReportedFields(message: Message): string {
  const { error, retryAt, parts, phone } = message
  return (
    (error === undefined ? '' : `,"last_error":${quoteJson(error)}`) +
    (retryAt === undefined || !isWaiting(message)
      ? ''
      : `,"retry_on":"${formatDateTime(retryAt)}"`) +
    (parts === undefined ? '' : `,"parts":${parts}`) +
    (phone === undefined ? '' : `,"phone":${quoteJson(phone)}`) +
    (message.delivery === undefined ? '' : `,"delivery":${formatDelivery(message)}`)
  )
}

function formatDelivery(message: Message): string {
  const { state, at, reason, delivered } = getDeliveryStatus(message) as DeliveryStatus
  const why = reason === undefined ? '' : `,"reason":${quoteJson(reason)}`
  const counts = `"parts":${message.parts ?? 1},"delivered":${delivered}`
  return `{"state":"${state}","at":"${formatDateTime(at)}"${why},${counts}}`
}

function formatAttempt({ at, beganAt, outcome, phone, error }: Attempt): string {
  const began_on = beganAt === undefined ? undefined : formatDateTime(beganAt)
  return JSON.stringify({ at: formatDateTime(at), began_on, outcome, phone, error })
}

function formatWarnings({ destination, number }: Message): string {
  const warning = findNumberWarning(number)
  return warning === undefined ? '' : `,"warnings":[${quoteJson(`${destination} ${warning}.`)}]`
}

function formatLease(lease: LeaseView | undefined): string {
  if (lease === undefined) return ''
  const { phone, beganAt, endsAt } = lease
  const times = { began_on: formatDateTime(beganAt), ends_on: formatDateTime(endsAt) }
  return `,"lease":${JSON.stringify({ phone, ...times })}`
}

/** Formats the links of a message; `edit`, `success` and `failure` only in N and E. */
export function formatMessageLinks(message: Message, base: string): string {
  const { all, common } = getCommonLinks(base)
  const one = `${all}/${escapeJson(message.id)}`
  const waiting = isWaiting(message)
  return (
    `${common},"get":{"method":"GET","url":"${one}"}` +
    (waiting ? `,"edit":{"method":"PATCH","url":"${one}"}` : '') +
    `,"delete":{"method":"DELETE","url":"${one}"}` +
    (waiting
      ? `,"success":{"method":"PUT","url":"${one}/success"}` +
        `,"failure":{"method":"PUT","url":"${one}/failure"}`
      : '') +
    '}'
  )
}

/**
 * Clients of the API choose the base address of links by the field Host, so the cache needs a
 * limit.
 */
const maxCachedBases = 64

const getCommonLinks = memoize(maxCachedBases, base => {
  const all = `${escapeJson(base)}/api/1/message`
  const common =
    `{"list":{"method":"GET","url":"${all}"},"next":{"method":"NEXT","url":"${all}"}` +
    `,"new":{"method":"POST","url":"${all}"}`
  return { all, common }
})

/**
 * A message text without quotes, backslashes, control characters and non-ASCII, like most: needs no
 * JSON escape.
 */
const plainText = /^[ !#-[\]-~]*$/

function quoteJson(value: string): string {
  return plainText.test(value) ? `"${value}"` : JSON.stringify(value)
}

function escapeJson(value: string): string {
  return quoteJson(value).slice(1, -1)
}
