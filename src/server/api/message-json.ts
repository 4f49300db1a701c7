import { isWaiting, type Message } from '../../domain/message/message.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { memoize } from '../../util/collections/memoize.js'

/** The JSON of a message with its links (SPEC.md sections 2.1 and 2.2), put together as text: each reply has it. */
export function formatMessageJson(message: Message, base: string): string {
  return `{"message":${formatFields(message)},"links":${formatMessageLinks(message, base)}}`
}

/** The JSON of no more than the id of a message, and of links where there are any (SPEC.md section 4.2). */
export function formatMessageIdJson(id: string, links?: string): string {
  const rest = links === undefined ? '' : `,"links":${links}`
  return `{"message":{"id":${quoteJson(id)}}${rest}}`
}

function formatFields(message: Message): string {
  return (
    `{"id":${quoteJson(message.id)},"destination":${quoteJson(message.destination)}` +
    `,"message":${quoteJson(message.text)},"created_on":"${formatDateTime(message.createdAt)}"` +
    `,"send_on":"${formatDateTime(message.sendAt)}","status":"${message.status}"` +
    `,"status_date":"${formatDateTime(message.statusAt)}","source":"${message.source}"` +
    `,"failure_count":${message.failures}}`
  )
}

/** The operations on a message: those that change it only while it is new or in error, as JSON (README: links). */
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

/** Addresses by which a service is known; whoever sends others gains nothing. */
const maxCachedBases = 64

/** What the links of all messages share. */
const getCommonLinks = memoize(maxCachedBases, base => {
  const all = `${escapeJson(base)}/api/1/message`
  const common =
    `{"list":{"method":"GET","url":"${all}"},"next":{"method":"NEXT","url":"${all}"}` +
    `,"new":{"method":"POST","url":"${all}"}`
  return { all, common }
})

/** ASCII without quotes, backslashes and control characters: most texts are. */
const plain = /^[ !#-[\]-~]*$/

function quoteJson(value: string): string {
  return plain.test(value) ? `"${value}"` : JSON.stringify(value)
}

/** A text as it is written within the quotes of a JSON string. */
function escapeJson(value: string): string {
  return quoteJson(value).slice(1, -1)
}
