import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import {
  claim,
  createDue,
  createMessage,
  draft,
  drain,
  freshText,
  listenFor,
  listMessages,
  read,
  succeed,
} from '../acts.js'
import { expectError, form, json, type Reply, useCallers } from '../calls.js'
import { getMessageId } from '../receiver.js'

const at = useCallers()

beforeEach(async () => {
  await drain(at.phone)
  await drain(at.secondPhone)
})

const postOnce = (key: string, message: object) =>
  at.api.call('POST', '/message', { headers: { 'idempotency-key': key }, body: form({ message }) })

/** Counts the messages with this text. */
async function copies(text: unknown): Promise<number> {
  const { messages } = (await listMessages(at.api, { filter: 'all', count: 100 })).body
  const texts = await Promise.all(
    messages.map(({ message }) => at.api.get(`/message/${message.id}`)),
  )
  return texts.filter(({ body }) => body.message?.message === text).length
}

/** Sends enough requests that an earlier one is being processed. */
async function bystanders(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await at.api.get('/user')
}

test('extension: the same Idempotency-Key and body get the first reply', async () => {
  const key = randomUUID()
  const message = draft()
  const first = await postOnce(key, message)
  expect(first.status, first.text).toBe(200)
  await succeed(at.api, first.body.message.id)
  const again = await postOnce(key, message)
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect(await copies(message.message)).toBe(1)
})

test('extension: requests with one Idempotency-Key at once create one message', async () => {
  const key = randomUUID()
  const message = draft()
  const replies = await Promise.all(Array.from({ length: 5 }, () => postOnce(key, message)))
  expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200))
  expect(new Set(replies.map(({ body }) => body.message.id)).size).toBe(1)
  expect(await copies(message.message)).toBe(1)
})

test('extension: the same Idempotency-Key with another body is invalid_request', async () => {
  const key = randomUUID()
  const text = freshText()
  expect((await postOnce(key, draft())).status).toBe(200)
  expectError(await postOnce(key, draft({ message: text })), 400, 'invalid_request')
  expect(await copies(text)).toBe(0)
})

test('extension: another Idempotency-Key or no key creates another message', async () => {
  const message = draft()
  await postOnce(randomUUID(), message)
  await postOnce(randomUUID(), message)
  await createMessage(at.api, message)
  expect(await copies(message.message)).toBe(3)
})

test('extension: a repeated create fires no second event', async () => {
  const listener = await listenFor(at.api, 'message.create')
  const key = randomUUID()
  const message = draft()
  const { id } = (await postOnce(key, message)).body.message
  await postOnce(key, message)
  const later = await createMessage(at.api)
  expect([getMessageId(await listener.next()), getMessageId(await listener.next())]).toEqual([
    id,
    later.id,
  ])
})

test('extension: Prefer: wait returns a message that is created during the wait', async () => {
  let answered = false
  const waiting = at.phone.next({ headers: { prefer: 'wait=15' } }).then((reply: Reply) => {
    answered = true
    return reply
  })
  await bystanders()
  expect(answered).toBe(false)
  const { id } = await createDue(at.api)
  const reply = await waiting
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message.id).toBe(id)
})

test('extension: Prefer: wait works with GET /message/next', async () => {
  const waiting = at.phone.call('GET', '/message/next', { headers: { prefer: 'wait=15' } })
  await bystanders()
  const { id } = await createDue(at.api)
  expect((await waiting).body.message.id).toBe(id)
})

test('extension: Prefer: wait returns a due message at once', async () => {
  const { id } = await createDue(at.api)
  const start = performance.now()
  const reply = await at.phone.next({ headers: { prefer: 'wait=15' } })
  expect(reply.body.message.id).toBe(id)
  expect(performance.now() - start).toBeLessThan(10_000)
})

test('extension: Prefer: wait without a due message is not_a_message', async () => {
  const start = performance.now()
  expectError(await at.phone.next({ headers: { prefer: 'wait=1' } }), 404, 'not_a_message')
  expect(performance.now() - start).toBeGreaterThan(900)
})

test.each(['wait=x', 'wait=-1', 'wait=', 'wait=0', 'return=minimal', 'wait'])(
  'extension: Prefer: %s does not keep NEXT open',
  async prefer => {
    const start = performance.now()
    expectError(await at.phone.next({ headers: { prefer } }), 404, 'not_a_message')
    expect(performance.now() - start).toBeLessThan(10_000)
  },
)

test('extension: one message goes to one of two waiting phones', async () => {
  const headers = { prefer: 'wait=3' }
  const waiting = [at.phone.next({ headers }), at.secondPhone.next({ headers })]
  await bystanders()
  const { id } = await createDue(at.api)
  const replies = await Promise.all(waiting)
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect(replies.find(({ status }) => status === 200)?.body.message.id).toBe(id)
  await succeed(at.api, id)
})

test('extension: a phone that disconnects during its wait leases no message', async () => {
  const hangUp = new AbortController()
  const waiting = at.phone.next({ headers: { prefer: 'wait=15' }, signal: hangUp.signal })
  await bystanders()
  hangUp.abort()
  await expect(waiting).rejects.toThrow()
  await bystanders()
  const { id } = await createDue(at.api)
  const reply = await at.secondPhone.next()
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message.id).toBe(id)
})

test.each([
  ['JSON', json],
  ['a form', (fields: Record<string, unknown>) => ({ body: form(fields) })],
])('extension: after outcome unknown as %s the message is E and is retried', async (_, encode) => {
  const { id } = await createDue(at.api)
  expect((await claim(at.phone)).id).toBe(id)
  const report = encode({ error_message: 'the modem went away', outcome: 'unknown' })
  const reply = await at.phone.call('PUT', `/message/${id}/failure`, report)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toEqual(await read(at.api, id))
  expect(reply.body.message).toMatchObject({ status: 'E', failure_count: 1 })
})

test.each(['known', '', 'UNKNOWN', 5])(
  'extension: a failure report with outcome %j is invalid_parameter',
  async outcome => {
    const made = await createMessage(at.api)
    const report = { error_message: 'no carrier', outcome }
    const reply = await at.api.put(`/message/${made.id}/failure`, report)
    expectError(reply, 400, 'invalid_parameter', 'outcome')
    expect(await read(at.api, made.id)).toEqual(made)
  },
)
