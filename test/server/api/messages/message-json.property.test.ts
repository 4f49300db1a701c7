import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type MessageReply,
  messageIdReply,
  messageListReply,
  messageReply,
} from '../../../../src/contract/message-schema.js'
import { addAttempt, listAttempts } from '../../../../src/domain/message/attempts.js'
import {
  type Message,
  type Status,
  sources,
  statusNames,
} from '../../../../src/domain/message/message.js'
import { getDialledNumber } from '../../../../src/domain/sms/phone-number.js'
import { formatDateTime } from '../../../../src/domain/time/date-time.js'
import {
  formatExtendedMessageJson,
  formatMessageIdJson,
  formatMessageJson,
  formatMessageLinks,
} from '../../../../src/server/api/messages/message-json.js'
import { MessageJsonCache } from '../../../../src/server/api/messages/message-json-cache.js'
import { scale } from '../../../tier.js'

const awkward = fc.constantFrom('"', '\\', '\0', '\n', '\u2028', '\ud83d', '\udc4b', 'ü', '👋', '/')
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.oneof(awkward, fc.string({ maxLength: 3 })), { maxLength: 12 })
    .map(all => all.join('')),
)
const time = fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 11, 31) })
const reported = {
  error: text,
  retryAt: time,
  parts: fc.integer({ min: 1, max: 255 }),
  phone: text,
  delivery: fc.constant('dd- 1700000000000 no carrier "x"'),
}
const message: fc.Arbitrary<Message> = fc
  .record({
    id: text,
    account: text,
    destination: text,
    number: text,
    text,
    source: fc.constantFrom(...sources),
    status: fc.constantFrom(...(Object.keys(statusNames) as Status[])),
    createdAt: time,
    sendAt: time,
    statusAt: time,
    failures: fc.integer({ min: 0, max: 5 }),
  })
  .chain(fields => fc.record(reported, { requiredKeys: [] }).map(more => ({ ...fields, ...more })))

function deliveryOf({ parts = 1 }: Message) {
  const at = formatDateTime(1_700_000_000_000)
  return { state: 'pending' as const, at, reason: 'no carrier "x"', parts, delivered: 2 }
}

/** The same as an object, in the field order of docs/reference/interface.md 2.1 and 2.2. */
function envelope(of: Message, base: string): MessageReply {
  const all = `${base}/api/1/message`
  const one = `${all}/${of.id}`
  const waits = of.status === 'N' || of.status === 'E'
  const dialled = getDialledNumber(of.destination, of.number)
  const isSame = of.destination === of.number || dialled === of.destination
  return {
    message: {
      id: of.id,
      destination: of.destination,
      ...(!isSame && { number: dialled }),
      message: of.text,
      created_on: formatDateTime(of.createdAt),
      send_on: formatDateTime(of.sendAt),
      status: of.status,
      status_date: formatDateTime(of.statusAt),
      source: of.source,
      failure_count: of.failures,
      ...(of.error !== undefined && { last_error: of.error }),
      ...(of.retryAt !== undefined && waits && { retry_on: formatDateTime(of.retryAt) }),
      ...(of.parts !== undefined && { parts: of.parts }),
      ...(of.phone !== undefined && { phone: of.phone }),
      ...(of.delivery !== undefined && { delivery: deliveryOf(of) }),
    },
    links: {
      list: { method: 'GET', url: all },
      next: { method: 'NEXT', url: all },
      new: { method: 'POST', url: all },
      get: { method: 'GET', url: one },
      ...(waits && { edit: { method: 'PATCH', url: one } }),
      delete: { method: 'DELETE', url: one },
      ...(waits && { success: { method: 'PUT', url: `${one}/success` } }),
      ...(waits && { failure: { method: 'PUT', url: `${one}/failure` } }),
    },
  }
}

test('the JSON of any message equals that of JSON.stringify', () => {
  const property = fc.property(message, text, (of, base) => {
    const json = formatMessageJson(of, base)
    expect(json).toBe(JSON.stringify(envelope(of, base)))
    expect(messageReply.safeParse(JSON.parse(json)).success).toBe(true)
  })
  fc.assert(property, { numRuns: scale(500) })
})

test('the extended JSON of any message has its attempts, the oldest first', () => {
  const property = fc.property(message, text, time, text, (of, base, at, error) => {
    const attempts = addAttempt({}, { at: Math.max(at, 0), outcome: 'unknown', error })
    const { message: fields, links } = envelope(of, base)
    const json = JSON.parse(formatExtendedMessageJson({ ...of, attempts }, base))
    const listed = listAttempts({ ...of, attempts }).map(each => ({
      ...each,
      at: formatDateTime(each.at),
    }))
    const expected = { message: { ...fields, attempts: listed }, links }
    expect(json).toEqual(JSON.parse(JSON.stringify(expected)))
    expect(messageReply.safeParse(json).success).toBe(true)
    const none = JSON.parse(formatExtendedMessageJson({ ...of, status: 'N' }, base))
    expect(none.message.attempts).toEqual([])
  })
  fc.assert(property)
})

test('the JSON of an id equals that of JSON.stringify, with and without links', () => {
  const property = fc.property(message, text, (of, base) => {
    const { links } = envelope(of, base)
    const replies = [
      formatMessageIdJson(of.id),
      formatMessageIdJson(of.id, formatMessageLinks(of, base)),
    ]
    const expected = [{ message: { id: of.id } }, { message: { id: of.id }, links }]
    expect(replies).toEqual(expected.map(each => JSON.stringify(each)))
    for (const json of replies)
      expect(messageIdReply.safeParse(JSON.parse(json)).success).toBe(true)
  })
  fc.assert(property)
})

test('the JSON of a list equals that of JSON.stringify, also from the cache', () => {
  const lists = fc.tuple(
    fc.array(message, { maxLength: 5 }),
    fc.array(text, { minLength: 2, maxLength: 2 }),
  )
  const property = fc.property(lists, ([messages, bases]) => {
    const shown = new MessageJsonCache()
    for (const base of [...bases, ...bases]) {
      const json = shown.getList(messages, base).toString()
      expect(json).toBe(JSON.stringify({ messages: messages.map(each => envelope(each, base)) }))
      expect(messageListReply.safeParse(JSON.parse(json)).success).toBe(true)
      for (const each of messages)
        expect(shown.getMessage(each, base).toString()).toBe(formatMessageJson(each, base))
    }
  })
  fc.assert(property)
})

test('a cached list shows later changes of its messages', () => {
  const lists = fc.tuple(fc.array(message, { minLength: 1, maxLength: 5 }), message, fc.nat())
  const property = fc.property(lists, ([messages, other, at]) => {
    const shown = new MessageJsonCache()
    shown.getList(messages, 'http://localhost')
    const changed = messages.with(at % messages.length, other)
    for (const some of [changed, changed.slice(1), messages]) {
      const expected = { messages: some.map(each => envelope(each, 'http://localhost')) }
      expect(shown.getList(some, 'http://localhost').toString()).toBe(JSON.stringify(expected))
    }
  })
  fc.assert(property)
})
