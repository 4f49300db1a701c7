import { isWaiting, type Message } from '../../domain/message/message.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { memo } from '../../util/collections/memoize.js'

/** The JSON of a message with its links (SPEC.md sections 2.1 and 2.2), put together as text: each reply has it. */
export function messageJson(message: Message, base: string): string {
  return `{"message":${fields(message)},"links":${messageLinks(message, base)}}`
}

/** The JSON of no more than the id of a message, and of links where there are any (SPEC.md section 4.2). */
export function messageIdJson(id: string, links?: string): string {
  const rest = links === undefined ? '' : `,"links":${links}`
  return `{"message":{"id":${text(id)}}${rest}}`
}

function fields(message: Message): string {
  return (
    `{"id":${text(message.id)},"destination":${text(message.destination)}` +
    `,"message":${text(message.text)},"created_on":"${formatDateTime(message.createdAt)}"` +
    `,"send_on":"${formatDateTime(message.sendAt)}","status":"${message.status}"` +
    `,"status_date":"${formatDateTime(message.statusAt)}","source":"${message.source}"` +
    `,"failure_count":${message.failures}}`
  )
}

/** The operations on a message: those that change it only while it is new or in error, as JSON (README: links). */
export function messageLinks(message: Message, base: string): string {
  const { all, common } = linksOf(base)
  const one = `${all}/${within(message.id)}`
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
const rememberedBases = 64

/** What the links of all messages share. */
const linksOf = memo(rememberedBases, base => {
  const all = `${within(base)}/api/1/message`
  const common =
    `{"list":{"method":"GET","url":"${all}"},"next":{"method":"NEXT","url":"${all}"}` +
    `,"new":{"method":"POST","url":"${all}"}`
  return { all, common }
})

/** ASCII without quotes, backslashes and control characters: most texts are. */
const plain = /^[ !#-[\]-~]*$/

function text(value: string): string {
  return plain.test(value) ? `"${value}"` : JSON.stringify(value)
}

/** A text as it is written within the quotes of a JSON string. */
function within(value: string): string {
  return text(value).slice(1, -1)
}
